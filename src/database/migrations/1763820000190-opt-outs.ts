import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recipients who want no messages, and the words by which they say so; null stands for the usual ones. */
export class OptOuts1763820000190 implements MigrationInterface {
  name = 'OptOuts1763820000190';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE opt_outs (
        tenant_id uuid NOT NULL,
        phone text NOT NULL,
        scope text NOT NULL CONSTRAINT opt_outs_scope_check CHECK (scope IN ('marketing', 'all')),
        source text NOT NULL CONSTRAINT opt_outs_source_check
          CHECK (source IN ('api', 'dashboard', 'import', 'provider', 'keyword')),
        reason text,
        created_at timestamptz NOT NULL,
        CONSTRAINT opt_outs_pkey PRIMARY KEY (tenant_id, phone)
      );
      CREATE INDEX opt_outs_newest_idx ON opt_outs (tenant_id, created_at, phone);
      CREATE INDEX opt_outs_source_idx ON opt_outs (tenant_id, source, created_at, phone);
      ALTER TABLE tenants ADD COLUMN opt_out_keywords text[];
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants DROP COLUMN opt_out_keywords;
      DROP TABLE opt_outs;
    `);
  }
}
