import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the messages of this installation from those of others that send by the same business account. */
export class Installation1763820000012 implements MigrationInterface {
  name = 'Installation1763820000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        one smallint PRIMARY KEY CONSTRAINT installation_one_row_check CHECK (one = 1),
        id text NOT NULL,
        created_at timestamptz NOT NULL
      );
      INSERT INTO installation VALUES (1, left(replace(gen_random_uuid()::text, '-', ''), 16), now());
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE installation');
  }
}
