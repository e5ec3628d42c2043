import type { Statement } from '../database/database.js';
import { CATEGORY_CHANGE } from '../templates/category-changes.service.js';

/** Messages of one recipient that are looked at: far more than a person gets in a day. */
const MOST_LOOKED_AT = 100;

/**
 * What warns of a message of the tenant $1 from the number $2 and of the template $3 to the phone $4, where $5 was 24
 * hours ago. Number, template and phone may be null, where they are not known. `reached` is the use of the whole
 * portfolio: each of its business accounts has the same figure.
 *
 * A message is looked for by when it was accepted, not by when it failed: that is what the index knows, and most fail
 * within seconds.
 */
export const WARNING_FACTS: Statement = {
  name: 'message_warning_facts',
  text: `
    SELECT n.messaging_limit, b.recipients AS reached,
      (SELECT h.error ->> 'title' FROM holds h
        WHERE h.lifted_at IS NULL
          AND (h.scope, h.target_id) IN (('number', n.id::text), ('business_account', b.id::text))
        ORDER BY h.id LIMIT 1) AS hold,
      (SELECT ${CATEGORY_CHANGE} FROM templates t WHERE t.id = $3::integer) AS category_change,
      r.capped_at, r.undeliverable_at
    FROM (
      SELECT max(f.failed_at) FILTER (WHERE f.error ->> 'code' = '131049') AS capped_at,
        max(f.failed_at) FILTER (WHERE f.error ->> 'code' = '131026') AS undeliverable_at
      FROM (
        SELECT m.failed_at, m.error FROM message_logs m
        WHERE m.phone = $4::text AND m.created_at >= $5::timestamptz AND m.tenant_id = $1::uuid
          AND m.status = 'failed'
        ORDER BY m.created_at DESC LIMIT ${MOST_LOOKED_AT}
      ) f
    ) r
    LEFT JOIN messaging_accounts n ON n.id = $2::integer AND n.tenant_id = $1::uuid
    LEFT JOIN business_accounts b ON b.id = n.business_account_id`,
};
