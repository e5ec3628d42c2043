import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From when a message's time for retries runs, and what finds the last hold that it waited for. */
export class FirstAttempt1763820000010 implements MigrationInterface {
  name = 'FirstAttempt1763820000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_logs ADD first_attempt_at timestamptz;
      CREATE INDEX holds_target_idx ON holds (scope, target_id, lifted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX holds_target_idx;
      ALTER TABLE message_logs DROP first_attempt_at;
    `);
  }
}
