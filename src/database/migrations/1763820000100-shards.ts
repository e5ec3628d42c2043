import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers belong to shards, and a shard to one worker at a time, which dispatches its numbers. */
export class Shards1763820000100 implements MigrationInterface {
  name = 'Shards1763820000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Written every second by each worker: pages have room for the new version of each row.
      CREATE TABLE worker_leases (
        worker_id uuid PRIMARY KEY,
        leased_until timestamptz NOT NULL
      ) WITH (fillfactor = 20);
      CREATE TABLE shards (
        id integer PRIMARY KEY,
        worker_id uuid
      ) WITH (fillfactor = 50);
      INSERT INTO shards (id) SELECT generate_series(0, 63);
      -- What waits is looked for by the shards that a worker has. No larger than before: four bytes lay idle in it.
      DROP INDEX outbox_due_idx;
      CREATE INDEX outbox_due_idx ON outbox ((messaging_account_id % 64), messaging_account_id, due_at)
        WHERE resolve_at IS NULL AND held_by IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX outbox_due_idx;
      CREATE INDEX outbox_due_idx ON outbox (messaging_account_id, due_at)
        WHERE resolve_at IS NULL AND held_by IS NULL;
      DROP TABLE shards;
      DROP TABLE worker_leases;
    `);
  }
}
