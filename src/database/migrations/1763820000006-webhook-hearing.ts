import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when the service has been able to receive receipts: one row, which the API processes keep up to date. */
export class WebhookHearing1763820000006 implements MigrationInterface {
  name = 'WebhookHearing1763820000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_hearing (
        id smallint PRIMARY KEY CONSTRAINT webhook_hearing_one_row_check CHECK (id = 1),
        heard_since timestamptz NOT NULL, -- without a gap
        heard_until timestamptz NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_hearing');
  }
}
