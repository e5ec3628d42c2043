import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createConcurrently } from '../concurrent-index.js';

const NAME = 'outbox_valid_idx';

/** Finds what waits and is no longer wanted. Messages that are wanted without an end are not in it. */
export class ValidityIndex1763820000172 implements MigrationInterface {
  name = 'ValidityIndex1763820000172';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, {
      name: NAME,
      table: 'outbox',
      definition: '(valid_until) WHERE valid_until IS NOT NULL',
    });
  }

  /** TypeORM reverts in a transaction, where nothing can be dropped concurrently; it takes a moment. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS ${NAME}`);
  }
}
