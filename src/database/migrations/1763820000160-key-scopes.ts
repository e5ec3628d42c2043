import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each API key may do; those that there are may do everything. */
export class KeyScopes1763820000160 implements MigrationInterface {
  name = 'KeyScopes1763820000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN scopes text[] NOT NULL
          DEFAULT '{messages:send,messages:read,templates:read,events:read,settings:write}'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN scopes');
  }
}
