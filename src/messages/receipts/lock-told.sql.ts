import type { Statement } from '../../database/database.js';
import { messagesToldAs } from './provider-id.sql.js';

/** Whether a row is of a tenant that receipts came under ($4: business_account_id). */
const IS_THEIRS = 'tenant_id IN (SELECT tenant_id FROM business_accounts WHERE id = ANY($4::uuid[]))';

/** The ids of the messages that these ids of the provider ($1) are known of: of receipts without our tag. */
export const FIND_TOLD: Statement = {
  name: 'message_find_told',
  text: `
    SELECT DISTINCT told.message_log_id AS id
    FROM unnest($1::text[]) AS t(provider_message_id) CROSS JOIN LATERAL ${messagesToldAs('t.provider_message_id')} told`,
};

/**
 * Locks messages ($1: their ids, from $2 to $3) with their entries of the outbox, in the order of all arrows that change both,
 * for APPLY_RECEIPTS in the same transaction. That statement then begins when nobody else changes them any more. If it had to
 * wait for somebody, PostgreSQL 18 (seen in 18.4) would miss the rows that were changed meanwhile, or crash: it looks at
 * them again by a copy of the plan (EvalPlanQual), which shares with the plan in which partitions it looks.
 * `test/receipt-races.spec.ts` shows it. Here the partitions are chosen before, by the bounds.
 */
export const LOCK_TOLD: Statement = {
  name: 'message_lock_told',
  text: `
    WITH waiting AS MATERIALIZED (
      SELECT message_log_id FROM outbox WHERE message_log_id = ANY($1::bigint[]) AND ${IS_THEIRS}
      ORDER BY message_log_id FOR UPDATE
    )
    SELECT id FROM message_logs
    WHERE id = ANY($1::bigint[]) AND id BETWEEN $2::bigint AND $3::bigint AND ${IS_THEIRS}
      AND (SELECT count(*) FROM waiting) IS NOT NULL
    ORDER BY id FOR UPDATE`,
};
