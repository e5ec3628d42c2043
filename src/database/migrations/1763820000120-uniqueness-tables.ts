import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What may be there once only, in tables of its own: an index of a table that is parted by ids knows one part. And fewer
 * bytes a message: the ledger's key is what makes an entry the only one, the tenant's index ends with the time.
 */
export class UniquenessTables1763820000120 implements MigrationInterface {
  name = 'UniquenessTables1763820000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL maintenance_work_mem = '256MB'`);
    await runner.query(RETRIES);
    await runner.query(CAMPAIGN_MESSAGES);
    await runner.query(DIGESTS);
    await runner.query(SLIMMER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_logs_tenant_idx;
      CREATE INDEX message_logs_tenant_idx ON message_logs (tenant_id, created_at, id);
      ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_once_key,
        ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);
      CREATE UNIQUE INDEX ledger_entries_once_key ON ledger_entries (message_log_id, kind, ordinal);
      -- Of what came twice within the time that the table knew, one: the older.
      ALTER TABLE webhook_inbox ADD digest bytea;
      UPDATE webhook_inbox w SET digest = d.digest FROM (
        SELECT min(id) AS id, sha256(convert_to(payload, 'UTF8')) AS digest FROM webhook_inbox GROUP BY 2
      ) d JOIN webhook_digests k USING (digest) WHERE w.id = d.id;
      DROP TABLE webhook_digests;
      CREATE UNIQUE INDEX webhook_inbox_digest_key ON webhook_inbox (digest);
      DROP TABLE campaign_messages;
      DROP INDEX message_logs_campaign_idx;
      CREATE UNIQUE INDEX message_logs_campaign_key ON message_logs (campaign_id, campaign_row)
        WHERE campaign_id IS NOT NULL;
      DROP TRIGGER message_logs_retry ON message_logs;
      DROP FUNCTION note_message_retry;
      DROP TABLE message_retries;
      CREATE UNIQUE INDEX message_logs_retry_of_key ON message_logs (retry_of) WHERE retry_of IS NOT NULL;
    `);
  }
}

/** By a trigger: whoever writes the message, a second one is refused. */
const RETRIES = `
  DROP INDEX message_logs_retry_of_key;
  CREATE TABLE message_retries (
    retry_of bigint CONSTRAINT message_logs_retry_of_key PRIMARY KEY,
    message_log_id bigint NOT NULL
  );
  INSERT INTO message_retries SELECT retry_of, id FROM message_logs WHERE retry_of IS NOT NULL;
  CREATE FUNCTION note_message_retry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_retries (retry_of, message_log_id) VALUES (NEW.retry_of, NEW.id);
      RETURN NULL;
    END $$;
  CREATE TRIGGER message_logs_retry AFTER INSERT ON message_logs FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL)
    EXECUTE FUNCTION note_message_retry();
`;

/** Without a foreign key, whose check would wait for the feeder, which holds the campaign's row. */
const CAMPAIGN_MESSAGES = `
  DROP INDEX message_logs_campaign_key;
  CREATE INDEX message_logs_campaign_idx ON message_logs (campaign_id) WHERE campaign_id IS NOT NULL;
  CREATE TABLE campaign_messages (
    campaign_id integer,
    campaign_row integer,
    message_log_id bigint NOT NULL,
    CONSTRAINT message_logs_campaign_key PRIMARY KEY (campaign_id, campaign_row)
  );
  INSERT INTO campaign_messages SELECT campaign_id, campaign_row, id FROM message_logs WHERE campaign_row IS NOT NULL;
`;

const DIGESTS = `
  CREATE TABLE webhook_digests (
    digest bytea CONSTRAINT webhook_digests_pkey PRIMARY KEY,
    received_at timestamptz NOT NULL
  );
  INSERT INTO webhook_digests SELECT digest, received_at FROM webhook_inbox
    WHERE digest IS NOT NULL AND received_at > now() - interval '10 days';
  CREATE INDEX webhook_digests_received_idx ON webhook_digests (received_at);
  ALTER TABLE webhook_inbox DROP digest; -- with its index
`;

const SLIMMER = `
  ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey,
    ADD CONSTRAINT ledger_entries_once_key PRIMARY KEY USING INDEX ledger_entries_once_key;
  DROP INDEX message_logs_tenant_idx;
  CREATE INDEX message_logs_tenant_idx ON message_logs (tenant_id, created_at);
`;
