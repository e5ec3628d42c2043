import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Separates what waits or is under way from the log of messages: claims, retries and holds no longer rewrite the log's
 * rows and index entries.
 */
export class Outbox1763820000090 implements MigrationInterface {
  name = 'Outbox1763820000090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- No foreign keys, as on the other hot tables. Rows live for seconds: pages have room for their changes, and are
      -- looked after often, however many rows there are. The file never shrinks: a table of no pages seems so cheap to
      -- read that plans are made, and kept, that read all of it when it has grown again.
      CREATE TABLE outbox (
        message_log_id bigint NOT NULL,
        tenant_id uuid NOT NULL,
        messaging_account_id integer NOT NULL,
        template_id integer NOT NULL,
        category text NOT NULL,
        campaign_id integer,
        campaign_row integer,
        created_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        held_by integer, -- the hold on its template that keeps it from being claimed
        attempts integer NOT NULL DEFAULT 0,
        first_attempt_at timestamptz,
        resolve_at timestamptz -- while it is claimed: when an outcome that is still unknown is decided
      ) WITH (fillfactor = 70, vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0.05,
        autovacuum_vacuum_cost_delay = 0);
      INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
        SELECT -n, gen_random_uuid(), 0, 0, '', now(), now() FROM generate_series(1, 5000) n;
      DELETE FROM outbox;
      INSERT INTO outbox
        SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, campaign_id, campaign_row,
          created_at, due_at, held_by, attempts, first_attempt_at, NULL
        FROM message_logs WHERE waiting
        UNION ALL
        SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, campaign_id, campaign_row,
          created_at, due_at, NULL, attempts, first_attempt_at, resolve_at
        FROM message_logs WHERE resolve_at IS NOT NULL AND status = 'sending';
      ALTER TABLE outbox ADD PRIMARY KEY (message_log_id);
      CREATE INDEX outbox_due_idx ON outbox (messaging_account_id, due_at)
        WHERE resolve_at IS NULL AND held_by IS NULL;
      CREATE INDEX outbox_urgent_idx ON outbox (messaging_account_id, category, due_at)
        WHERE resolve_at IS NULL AND held_by IS NULL AND category <> 'MARKETING';
      CREATE INDEX outbox_held_idx ON outbox (held_by, due_at) WHERE held_by IS NOT NULL;
      CREATE INDEX outbox_codes_idx ON outbox (due_at) WHERE resolve_at IS NULL AND category = 'AUTHENTICATION';
      CREATE INDEX outbox_resolve_idx ON outbox (resolve_at) WHERE resolve_at IS NOT NULL;
      CREATE INDEX outbox_list_idx ON outbox (tenant_id, created_at);
      CREATE INDEX outbox_campaign_idx ON outbox (campaign_id) WHERE campaign_id IS NOT NULL;
      -- Until the outcome, the log has no tries: a late answer to an earlier one must not fit them.
      UPDATE message_logs m SET attempts = 0, status = CASE WHEN o.resolve_at IS NULL THEN m.status ELSE 'queued' END
        FROM outbox o WHERE o.message_log_id = m.id AND (o.attempts > 0 OR o.resolve_at IS NOT NULL);
      -- With their indexes.
      ALTER TABLE message_logs DROP waiting, DROP due_at, DROP held_by, DROP first_attempt_at, DROP resolve_at;
      DELETE FROM typeorm_metadata WHERE "table" = 'message_logs' AND name = 'waiting';
      ALTER TABLE message_logs DROP CONSTRAINT message_logs_status_check, ADD CONSTRAINT message_logs_status_check
        CHECK (status IN ('scheduled', 'queued', 'sent', 'delivered', 'read', 'failed', 'canceled'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_logs DROP CONSTRAINT message_logs_status_check, ADD CONSTRAINT message_logs_status_check
        CHECK (status IN ('scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'canceled')),
        ADD waiting boolean NOT NULL GENERATED ALWAYS AS (status IN ('scheduled', 'queued')) STORED,
        ADD due_at timestamptz, ADD held_by integer, ADD first_attempt_at timestamptz, ADD resolve_at timestamptz;
      UPDATE message_logs m SET due_at = coalesce(m.scheduled_at, m.created_at)
        WHERE m.id NOT IN (SELECT message_log_id FROM outbox);
      UPDATE message_logs m SET due_at = o.due_at, held_by = o.held_by, first_attempt_at = o.first_attempt_at,
        resolve_at = o.resolve_at, attempts = o.attempts,
        status = CASE WHEN o.resolve_at IS NULL THEN m.status ELSE 'sending' END
        FROM outbox o WHERE m.id = o.message_log_id;
      ALTER TABLE message_logs ALTER due_at SET NOT NULL;
      INSERT INTO typeorm_metadata (type, database, schema, "table", name, value) VALUES (
        'GENERATED_COLUMN', current_database(), current_schema(), 'message_logs', 'waiting',
        'status IN (''scheduled'', ''queued'')'
      );
      CREATE INDEX message_logs_waiting_idx ON message_logs (messaging_account_id, due_at)
        WHERE waiting AND held_by IS NULL;
      CREATE INDEX message_logs_held_idx ON message_logs (held_by, due_at) WHERE held_by IS NOT NULL;
      CREATE INDEX message_logs_codes_idx ON message_logs (due_at)
        WHERE waiting AND conversation_category = 'AUTHENTICATION';
      CREATE INDEX message_logs_resolve_idx ON message_logs (resolve_at) WHERE resolve_at IS NOT NULL;
      CREATE INDEX message_logs_list_waiting_idx ON message_logs (tenant_id, created_at, id)
        WHERE waiting AND tenant_id IS NOT NULL;
      CREATE INDEX message_logs_campaign_waiting_idx ON message_logs (campaign_id)
        WHERE campaign_id IS NOT NULL AND waiting;
      DROP TABLE outbox;
    `);
  }
}
