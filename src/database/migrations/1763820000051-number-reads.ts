import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the provider says of each number is now read from the provider, hourly and after events; before, the quality was
 * sometimes the name of an event. The first reads of existing numbers are spread over an hour.
 */
export class NumberReads1763820000051 implements MigrationInterface {
  name = 'NumberReads1763820000051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messaging_accounts
        ADD COLUMN status text, -- the provider's, such as CONNECTED
        ADD COLUMN throughput text, -- the provider's level: STANDARD or HIGH
        ADD COLUMN messaging_limit_at timestamptz, -- when the limit was said
        ADD COLUMN read_at timestamptz, -- when the provider was last asked, and answered
        ADD COLUMN read_due_at timestamptz NOT NULL DEFAULT now(); -- when it is asked next
      UPDATE messaging_accounts SET read_due_at = now() + random() * interval '1 hour';
      UPDATE messaging_accounts SET quality = NULL WHERE quality NOT IN ('GREEN', 'YELLOW', 'RED', 'UNKNOWN');
      CREATE INDEX messaging_accounts_read_due_idx ON messaging_accounts (read_due_at);

      ALTER TABLE business_accounts
        ADD COLUMN portfolio_id text, -- the provider's id of the business that owns it
        ADD COLUMN portfolio_asked_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts DROP COLUMN portfolio_id, DROP COLUMN portfolio_asked_at;
      ALTER TABLE messaging_accounts DROP COLUMN status, DROP COLUMN throughput, DROP COLUMN messaging_limit_at,
        DROP COLUMN read_at, DROP COLUMN read_due_at;
    `);
  }
}
