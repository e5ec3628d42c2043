import { tellEvents } from '../events/tell.sql.js';

/**
 * A CTE's statement, or a whole one, that tells of numbers whose quality or limit is another than it was. What is learned of
 * a number for the first time is no change.
 * @param was a CTE with the rows of `messaging_accounts` before the change, locked
 * @param is one with those that were changed, after it
 * @param now SQL of the service's time
 */
export const tellNumbers = (was: string, is: string, now: string) =>
  tellEvents(
    `
        SELECT 2 * n.id::bigint + e.place AS place, n.tenant_id, e.type, NULL::timestamptz AS occurred_at,
          jsonb_build_object('messaging_account_id', n.api_id, e.field, e.present, 'previous', e.former) AS data
        FROM ${is} n JOIN ${was} w ON w.id = n.id CROSS JOIN LATERAL (VALUES
          (0, 'number.quality', 'quality', w.quality, n.quality),
          (1, 'number.limit', 'limit', w.messaging_limit, n.messaging_limit)
        ) AS e(place, type, field, former, present)
        WHERE e.former IS NOT NULL AND e.former IS DISTINCT FROM e.present`,
    now,
  );
