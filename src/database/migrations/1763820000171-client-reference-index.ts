import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createConcurrently } from '../concurrent-index.js';

const NAME = 'message_logs_reference_idx';

/** Finds messages by their caller's own id, newest first: one may have many. Messages without one are not in it. */
export class ClientReferenceIndex1763820000171 implements MigrationInterface {
  name = 'ClientReferenceIndex1763820000171';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, {
      name: NAME,
      table: 'message_logs',
      definition: '(tenant_id, client_reference, created_at) WHERE client_reference IS NOT NULL',
    });
  }

  /** TypeORM reverts in a transaction, where nothing can be dropped concurrently; it takes a moment. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS ${NAME}`);
  }
}
