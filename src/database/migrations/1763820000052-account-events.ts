import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time of the last ban, restriction or removal of a business account: an earlier one does not count after it. */
export class AccountEvents1763820000052 implements MigrationInterface {
  name = 'AccountEvents1763820000052';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE business_accounts ADD COLUMN state_event_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE business_accounts DROP COLUMN state_event_at');
  }
}
