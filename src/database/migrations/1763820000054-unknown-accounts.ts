import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that wait for a business account that the service does not know yet. */
export class UnknownAccounts1763820000054 implements MigrationInterface {
  name = 'UnknownAccounts1763820000054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of a delivery that was put aside for them: the rest of it was applied.
      ALTER TABLE webhook_inbox ADD COLUMN unknown_accounts text[];
      CREATE INDEX webhook_inbox_unknown_idx ON webhook_inbox (id)
        WHERE parked_at IS NOT NULL AND unknown_accounts IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_inbox DROP COLUMN unknown_accounts');
  }
}
