import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An idempotency key may stand for a batch: it has its answer instead of a message. */
export class BatchAnswers1763820000173 implements MigrationInterface {
  name = 'BatchAnswers1763820000173';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys ALTER message_log_id DROP NOT NULL, ADD answer jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM idempotency_keys WHERE message_log_id IS NULL;
      ALTER TABLE idempotency_keys DROP answer, ALTER message_log_id SET NOT NULL;
    `);
  }
}
