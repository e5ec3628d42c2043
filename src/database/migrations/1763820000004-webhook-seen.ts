import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the dashboard's numbers: when a webhook last came, and how many messages each number has just sent. */
export class WebhookSeen1763820000004 implements MigrationInterface {
  name = 'WebhookSeen1763820000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts ADD COLUMN webhook_seen_at timestamptz;

      -- Of the last minutes only: each process adds what it has sent, every other second. No index on
      -- message_logs could tell it without a price for each message.
      CREATE TABLE number_activity (
        messaging_account_id integer NOT NULL,
        slot timestamptz NOT NULL, -- the beginning of 10 seconds
        sent integer NOT NULL,
        PRIMARY KEY (messaging_account_id, slot)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE number_activity;
      ALTER TABLE business_accounts DROP COLUMN webhook_seen_at;
    `);
  }
}
