import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns by which a message or delivery is found again when its commit may, or may not, have succeeded. */
export class CrashSafety1763800000000 implements MigrationInterface {
  name = 'CrashSafety1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Found again by it, with the tenant's index, when the connection was cut during the commit.
      ALTER TABLE message_logs ADD accept_token uuid;
      -- SHA-256 of the payload; null where it arrived before there was this column.
      ALTER TABLE webhook_inbox ADD digest bytea;
      CREATE UNIQUE INDEX webhook_inbox_digest_key ON webhook_inbox (digest);
      CREATE INDEX webhook_inbox_parked_idx ON webhook_inbox (id) WHERE parked_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_inbox DROP digest;
      DROP INDEX webhook_inbox_parked_idx;
      ALTER TABLE message_logs DROP accept_token;
    `);
  }
}
