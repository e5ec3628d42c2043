import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets every update of a message's row that succeeds stay HOT, from the provider's answer on, so that it writes to no index:
 * what the answer changes has no index of the log any more. The provider's id is found by the event that told it, what was
 * sent late stands in a table of its own. Events get one index instead of two.
 */
export class HotUpdates1763820000110 implements MigrationInterface {
  name = 'HotUpdates1763820000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL maintenance_work_mem = '256MB';
      CREATE TABLE late_sends (
        tenant_id uuid NOT NULL,
        sent_at timestamptz NOT NULL,
        message_log_id bigint NOT NULL,
        PRIMARY KEY (tenant_id, sent_at, message_log_id)
      );
      INSERT INTO late_sends SELECT tenant_id, sent_at, id FROM message_logs
        WHERE sent_at - created_at > interval '1 hour' AND sent_at > now() - interval '1 day';
      CREATE INDEX message_events_provider_id_idx ON message_events
        (hashtextextended(coalesce(details ->> 'messageId', details ->> 'provider_message_id'), 0))
        WHERE coalesce(details ->> 'messageId', details ->> 'provider_message_id') IS NOT NULL;
      DROP INDEX message_logs_sent_late_idx, message_logs_provider_id_idx;
      -- A page is full when it is half full: an answer changes all rows of a page at once.
      ALTER TABLE message_logs SET (fillfactor = 50);
      ALTER TABLE message_events DROP CONSTRAINT message_events_pkey,
        ADD CONSTRAINT message_events_pkey PRIMARY KEY (message_log_id, id);
      DROP INDEX message_events_message_idx;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE message_events e
        SET details = jsonb_build_object('provider_message_id', m.provider_message_id) || (e.details - 'p'::text)
          || CASE WHEN e.details ? 'p' THEN jsonb_build_object('pricing', jsonb_build_object(
            'billable', split_part(e.details ->> 'p', ' ', 1)::boolean,
            'pricing_model', split_part(e.details ->> 'p', ' ', 2),
            'type', split_part(e.details ->> 'p', ' ', 3),
            'category', split_part(e.details ->> 'p', ' ', 4))) ELSE '{}' END
        FROM message_logs m
        WHERE m.id = e.message_log_id AND e.details ->> 'source' = 'receipt'
          AND (e.details ? 'p' OR NOT e.details ? 'provider_message_id');
      UPDATE message_events SET details = details || '{"messageStatus": "accepted"}'
        WHERE details ? 'messageId' AND NOT details ? 'messageStatus';
      CREATE INDEX message_events_message_idx ON message_events (message_log_id, id);
      ALTER TABLE message_events DROP CONSTRAINT message_events_pkey,
        ADD CONSTRAINT message_events_pkey PRIMARY KEY (id);
      ALTER TABLE message_logs SET (fillfactor = 70);
      CREATE INDEX message_logs_provider_id_idx ON message_logs (provider_message_id)
        WHERE provider_message_id IS NOT NULL;
      CREATE INDEX message_logs_sent_late_idx ON message_logs (tenant_id, sent_at)
        WHERE sent_at - created_at > interval '1 hour';
      DROP INDEX message_events_provider_id_idx;
      DROP TABLE late_sends;
    `);
  }
}
