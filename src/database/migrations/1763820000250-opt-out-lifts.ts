import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When opt-outs were lifted, for as long as an older wish may still come. */
export class OptOutLifts1763820000250 implements MigrationInterface {
  name = 'OptOutLifts1763820000250';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE opt_out_lifts (
        tenant_id uuid NOT NULL,
        phone text NOT NULL,
        lifted_at timestamptz,
        resumed_at timestamptz,
        noted_at timestamptz NOT NULL,
        CONSTRAINT opt_out_lifts_pkey PRIMARY KEY (tenant_id, phone)
      );
      CREATE INDEX opt_out_lifts_noted_idx ON opt_out_lifts (noted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE opt_out_lifts');
  }
}
