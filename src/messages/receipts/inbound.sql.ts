import type { Statement } from '../../database/database.js';
import { tellEvents } from '../../events/tell.sql.js';
import { messagesToldAs } from './provider-id.sql.js';

/** Characters that are told at most: the provider takes no longer texts and payloads. A type is a short name. */
const MOST = { text: 4_096, payload: 4_096, type: 80 };

/**
 * Tells of messages of recipients ($2), each once: a digest of its id is kept among those of deliveries, so a message that
 * comes in another delivery is known. Its tenant is that of the number that it was sent to, under the business account
 * whose signature it came under: that of the number, or one that it has left not long ago. For any other number nothing is
 * told. What it answers is looked for among the messages of this tenant alone.
 */
export const TELL_INBOUND: Statement = {
  name: 'message_tell_inbound',
  timeout: 15_000, // there may be thousands in one batch
  text: `
    WITH received AS MATERIALIZED (
      SELECT r.*, n.tenant_id, n.api_id,
        sha256(convert_to(concat_ws(' ', 'inbound', r.business_account_id, r.key), 'UTF8')) AS digest
      FROM json_to_recordset($2) AS r(ordinal integer, business_account_id uuid, phone_number_id text, key text,
        sender text, type text, said text, payload text, answers text, occurred_at timestamptz)
      JOIN LATERAL (
        SELECT n.tenant_id, n.api_id FROM messaging_accounts n
        WHERE n.phone_number_id = r.phone_number_id AND n.business_account_id = r.business_account_id
        UNION ALL
        SELECT n.tenant_id, n.api_id FROM number_moves v JOIN messaging_accounts n ON n.id = v.messaging_account_id
        WHERE v.from_phone_number_id = r.phone_number_id AND v.from_business_account_id = r.business_account_id
          AND v.receipts_until > $1::timestamptz
        LIMIT 1) n ON true
    ), first AS MATERIALIZED (
      SELECT DISTINCT ON (digest) * FROM received ORDER BY digest, ordinal
    ), fresh AS (
      INSERT INTO webhook_digests (digest, received_at) SELECT digest, $1::timestamptz FROM first ORDER BY digest
      ON CONFLICT DO NOTHING RETURNING digest
    ), told AS (${tellEvents(`
        SELECT f.ordinal AS place, f.tenant_id, 'message.inbound' AS type, f.occurred_at,
          jsonb_build_object('messaging_account_id', f.api_id, 'from', f.sender, 'type', left(f.type, ${MOST.type}))
            || jsonb_strip_nulls(jsonb_build_object('text', left(f.said, ${MOST.text}),
              'payload', left(f.payload, ${MOST.payload}), 'in_reply_to', m.id, 'client_reference', m.client_reference)) AS data
        FROM first f JOIN fresh USING (digest) LEFT JOIN LATERAL (
          SELECT id, client_reference FROM message_logs
          WHERE id = ANY(ARRAY${messagesToldAs('f.answers')})
            AND provider_message_id = f.answers AND tenant_id = f.tenant_id
          ORDER BY id LIMIT 1) m ON true`)}
    )
    SELECT count(*) FROM fresh`,
};
