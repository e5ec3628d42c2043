import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when codes to other countries cost more, for business accounts of which the provider has declared it. */
export class AuthInternational1763820000020 implements MigrationInterface {
  name = 'AuthInternational1763820000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts
        ADD COLUMN auth_international jsonb, -- start times by country, \`*\` for any other
        ADD COLUMN auth_international_at timestamptz; -- when that was said
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE business_accounts DROP COLUMN auth_international, DROP COLUMN auth_international_at`);
  }
}
