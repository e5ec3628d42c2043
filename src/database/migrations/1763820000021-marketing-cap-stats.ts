import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages that reached the marketing cap get a count of their own; before, they were counted as opted out. All hours
 * that still have messages are counted anew, after a while, when no process of the older version counts any more.
 */
export class MarketingCapStats1763820000021 implements MigrationInterface {
  name = 'MarketingCapStats1763820000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_stats ADD COLUMN capped integer NOT NULL DEFAULT 0;
      UPDATE message_stats_passes SET counted_at = NULL, due_at = now() + interval '10 minutes' WHERE name = 'all';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_stats DROP COLUMN capped;
      UPDATE message_stats_passes SET counted_at = NULL, due_at = now() WHERE name = 'all';
    `);
  }
}
