import type { MigrationInterface, QueryRunner } from 'typeorm';

/** To how many people each portfolio has sent in the last 24 hours, and when that is counted. */
export class PortfolioUse1763820000055 implements MigrationInterface {
  name = 'PortfolioUse1763820000055';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts
        ADD COLUMN recipients integer, -- of its portfolio, as far as the tenant's accounts go
        ADD COLUMN recipients_is_more boolean NOT NULL DEFAULT false, -- counted up to a limit
        ADD COLUMN recipients_counted_at timestamptz,
        ADD COLUMN recipients_due_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX business_accounts_recipients_due_idx ON business_accounts (recipients_due_at);
      CREATE INDEX business_accounts_tenant_idx ON business_accounts (tenant_id);

      -- The few that were sent long after they were accepted: all others are found by when that was.
      CREATE INDEX message_logs_sent_late_idx ON message_logs (tenant_id, sent_at)
        WHERE sent_at - created_at > interval '1 hour';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX message_logs_sent_late_idx;
      DROP INDEX business_accounts_tenant_idx;
      ALTER TABLE business_accounts DROP COLUMN recipients, DROP COLUMN recipients_is_more,
        DROP COLUMN recipients_counted_at, DROP COLUMN recipients_due_at;
    `);
  }
}
