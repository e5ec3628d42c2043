import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether receipts of a business account arrive at all: only then does a missing receipt mean something. */
export class ReceiptsSeen1763820000011 implements MigrationInterface {
  name = 'ReceiptsSeen1763820000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts ADD receipts_seen_since timestamptz, ADD receipts_seen_until timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts DROP receipts_seen_since, DROP receipts_seen_until;
    `);
  }
}
