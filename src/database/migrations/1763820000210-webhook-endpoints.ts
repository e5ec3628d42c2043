import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints of tenants that events are posted to, with the last attempts for each. */
export class WebhookEndpoints1763820000210 implements MigrationInterface {
  name = 'WebhookEndpoints1763820000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT webhook_endpoints_tenant_fk REFERENCES tenants (id),
        url text NOT NULL,
        types text[],
        description text,
        secret text NOT NULL,
        former_secret text,
        former_secret_until timestamptz,
        after_entry bigint NOT NULL,
        after_ordinal integer NOT NULL,
        attempts bigint NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz,
        succeeded_at timestamptz,
        next_try_at timestamptz NOT NULL,
        leased_by uuid,
        leased_until timestamptz,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70);
      CREATE INDEX webhook_endpoints_tenant_idx ON webhook_endpoints (tenant_id);
      CREATE INDEX webhook_endpoints_next_try_idx ON webhook_endpoints (next_try_at) WHERE disabled_at IS NULL;
      CREATE TABLE webhook_endpoint_attempts (
        webhook_endpoint_id uuid NOT NULL
          CONSTRAINT webhook_endpoint_attempts_endpoint_fk REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
        place integer NOT NULL,
        attempted_at timestamptz NOT NULL,
        events integer NOT NULL,
        first_cursor text NOT NULL,
        last_cursor text NOT NULL,
        http_status integer,
        error text,
        duration integer NOT NULL,
        PRIMARY KEY (webhook_endpoint_id, place)
      ) WITH (fillfactor = 70);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_endpoint_attempts; DROP TABLE webhook_endpoints');
  }
}
