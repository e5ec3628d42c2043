import type { Statement } from '../database/database.js';
import { CATEGORY_CHANGE } from '../templates/category-changes.service.js';

/** The last messages of one recipient that are looked at: more than a person gets between an acceptance and a late failure. */
const MOST_LOOKED_AT = 500;

/**
 * What warns of a message of the tenant $1 from the number $2 and of the template $3 to the phone $4, where $5 was 24
 * hours ago. Number, template and phone may be null, where they are not known. `reached` is the use of the whole
 * portfolio: each of its business accounts has the same figure.
 *
 * The last messages to the recipient are looked at, whenever they were accepted: a scheduled one, or an auto-retry, may fail
 * long after that. An index knows their order, but not when they failed.
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
        SELECT m.status, m.failed_at, m.error FROM message_logs m
        WHERE m.phone = $4::text AND m.tenant_id = $1::uuid
        ORDER BY m.created_at DESC LIMIT ${MOST_LOOKED_AT}
      ) f WHERE f.status = 'failed' AND f.failed_at >= $5::timestamptz
    ) r
    LEFT JOIN messaging_accounts n ON n.id = $2::integer AND n.tenant_id = $1::uuid
    LEFT JOIN business_accounts b ON b.id = n.business_account_id`,
};
