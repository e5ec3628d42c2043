import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users of the dashboard may be asked for beside their password. */
export class SecondFactors1763820000084 implements MigrationInterface {
  name = 'SecondFactors1763820000084';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE second_factors (
        user_id uuid PRIMARY KEY
          CONSTRAINT second_factors_user_fk REFERENCES dashboard_users ON DELETE CASCADE,
        secret text NOT NULL, -- encrypted
        turned_on_at timestamptz,
        last_step integer NOT NULL DEFAULT 0, -- of 30 seconds each since 1970
        recovery_hashes text[] NOT NULL DEFAULT '{}'
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE second_factors');
  }
}
