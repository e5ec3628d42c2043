import { tellEvents } from '../../events/tell.sql.js';

/**
 * A CTE's statement that tells of holds on numbers and business accounts, when they have begun or ended: those on templates
 * and those of restores are no news of an account.
 * @param holds SQL of rows of `holds` as they are after the change
 * @param now SQL of the service's time
 */
export const tellHolds = (holds: string, now: string) =>
  tellEvents(
    `
        SELECT h.id AS place, h.tenant_id, CASE h.scope WHEN 'number' THEN 'number.hold' ELSE 'account.hold' END AS type,
          NULL::timestamptz AS occurred_at,
          CASE h.scope WHEN 'number' THEN jsonb_build_object('messaging_account_id', n.api_id)
            ELSE jsonb_build_object('waba_id', b.waba_id) END
            || jsonb_build_object('held', h.lifted_at IS NULL, 'cause', h.cause, 'error', h.error) AS data
        FROM (SELECT * FROM ${holds}) h
        LEFT JOIN messaging_accounts n ON h.scope = 'number' AND n.id::text = h.target_id
        LEFT JOIN business_accounts b ON h.scope = 'business_account' AND b.id::text = h.target_id
        WHERE h.scope IN ('number', 'business_account')`,
    now,
  );
