import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each business account's templates are synced next, and how often in a row that has failed. */
export class TemplateSyncDue1763820000030 implements MigrationInterface {
  name = 'TemplateSyncDue1763820000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts
        ADD COLUMN template_sync_due_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN template_sync_failures integer NOT NULL DEFAULT 0;
      -- All are due, the one that has waited for longest first.
      UPDATE business_accounts SET template_sync_due_at = templates_synced_at WHERE templates_synced_at IS NOT NULL;
      CREATE INDEX business_accounts_template_sync_idx
        ON business_accounts (template_sync_failures, template_sync_due_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts DROP COLUMN template_sync_due_at, DROP COLUMN template_sync_failures;
    `);
  }
}
