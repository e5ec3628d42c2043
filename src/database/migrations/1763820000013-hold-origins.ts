import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The message with which a hold began, by its answer or a receipt, and the message that is its probe. */
export class HoldOrigins1763820000013 implements MigrationInterface {
  name = 'HoldOrigins1763820000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE holds
        ADD message_log_id bigint,
        ADD by_receipt boolean NOT NULL DEFAULT false,
        ADD probe_message_id bigint;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE holds DROP message_log_id, DROP by_receipt, DROP probe_message_id;
    `);
  }
}
