import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which alerts were told by mail and to a webhook, and who has read which in the dashboard. */
export class AlertNotices1763820000220 implements MigrationInterface {
  name = 'AlertNotices1763820000220';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE alerts ADD raised_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX alerts_raised_idx ON alerts (raised_at);
      CREATE TABLE alert_channels (
        name text PRIMARY KEY,
        since timestamptz NOT NULL, -- earlier alerts are not told by it
        next_try_at timestamptz NOT NULL,
        failures integer NOT NULL DEFAULT 0
      );
      CREATE TABLE alert_notices (
        alert_id integer NOT NULL CONSTRAINT alert_notices_alert_fk REFERENCES alerts (id) ON DELETE CASCADE,
        channel text NOT NULL CONSTRAINT alert_notices_channel_fk REFERENCES alert_channels (name) ON DELETE CASCADE,
        told_at timestamptz, -- null: given up
        PRIMARY KEY (alert_id, channel)
      );
      CREATE TABLE alert_reads (
        alert_id integer NOT NULL CONSTRAINT alert_reads_alert_fk REFERENCES alerts (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT alert_reads_user_fk REFERENCES dashboard_users (id) ON DELETE CASCADE,
        read_at timestamptz NOT NULL,
        PRIMARY KEY (alert_id, user_id)
      );
      CREATE INDEX alert_reads_user_idx ON alert_reads (user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE alert_reads;
      DROP TABLE alert_notices;
      DROP TABLE alert_channels;
      ALTER TABLE alerts DROP raised_at;
    `);
  }
}
