import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a caller may add to a send: its own reference and data, and conditions under which the message is wanted. Columns
 * without a default, so that no row is written; a message that does not use them stores nothing for them.
 */
export class SendConditions1763820000170 implements MigrationInterface {
  name = 'SendConditions1763820000170';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_logs ADD valid_until timestamptz, ADD template_version uuid, ADD client_reference text,
        ADD max_cost numeric(14,6), ADD metadata jsonb, ADD expect jsonb;
      ALTER TABLE outbox ADD valid_until timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox DROP valid_until;
      ALTER TABLE message_logs DROP valid_until, DROP template_version, DROP client_reference, DROP max_cost,
        DROP metadata, DROP expect;
    `);
  }
}
