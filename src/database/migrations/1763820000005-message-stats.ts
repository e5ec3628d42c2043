import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of messages by hour, so that the overview does not read the messages themselves. */
export class MessageStats1763820000005 implements MigrationInterface {
  name = 'MessageStats1763820000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_stats (
        tenant_id uuid NOT NULL,
        hour timestamptz NOT NULL, -- in which they were accepted, whatever became of them later
        messaging_account_id integer NOT NULL,
        template_id integer NOT NULL,
        category text NOT NULL,
        currency text NOT NULL,
        accepted integer NOT NULL,
        sent integer NOT NULL,
        delivered integer NOT NULL,
        read integer NOT NULL,
        failed integer NOT NULL,
        opted_out integer NOT NULL,
        cost numeric(18,6) NOT NULL, -- without what was refunded
        last_due_at timestamptz NOT NULL, -- receipts may come for weeks after it
        PRIMARY KEY (tenant_id, hour, messaging_account_id, template_id, category, currency)
      );

      CREATE TABLE message_stats_passes (
        name text PRIMARY KEY,
        due_at timestamptz NOT NULL,
        counted_at timestamptz -- when the last complete one began
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE message_stats, message_stats_passes');
  }
}
