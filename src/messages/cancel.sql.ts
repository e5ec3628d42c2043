import type { Statement } from '../database/database.js';
import { CANCEL_EFFECTS } from './message-effects.sql.js';

/** Ends what a CTE `taken (id, attempts)` has taken out of the outbox. */
const CANCEL_TAKEN = `
      UPDATE message_logs m SET status = 'canceled', canceled_at = $1::timestamptz, attempts = t.attempts
      FROM taken t WHERE m.id = t.id
      RETURNING m.id, m.tenant_id, m.cost, m.currency, m.messaging_account_id, m.api_key_id, m.created_at`;

/** queued | scheduled → canceled, with refund. Loses against a claim, wins over a later one. */
export const CANCEL: Statement = {
  name: 'message_cancel',
  text: `
    WITH taken AS (
      DELETE FROM outbox WHERE message_log_id = $2 AND tenant_id = $3 AND resolve_at IS NULL
      RETURNING message_log_id AS id, attempts
    ), canceled AS (
      ${CANCEL_TAKEN}
    ), ${CANCEL_EFFECTS}
    SELECT id FROM canceled`,
};

/** The same for up to $4 messages of a campaign ($2) of a tenant ($3), its auto-retries included. */
export const CANCEL_OF_CAMPAIGN: Statement = {
  name: 'message_cancel_of_campaign',
  text: `
    WITH chosen AS MATERIALIZED (
      SELECT message_log_id AS id FROM outbox
      WHERE campaign_id = $2 AND tenant_id = $3 AND resolve_at IS NULL
      ORDER BY message_log_id LIMIT $4 FOR UPDATE
    ), taken AS (
      DELETE FROM outbox o USING chosen WHERE o.message_log_id = chosen.id RETURNING chosen.id, o.attempts
    ), canceled AS (
      ${CANCEL_TAKEN}
    ), ${CANCEL_EFFECTS}
    SELECT count(*) AS canceled FROM canceled`,
};
