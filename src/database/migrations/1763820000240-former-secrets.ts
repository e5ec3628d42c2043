import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Several former secrets of an endpoint, each until its own end, in the place of one. No release has known the columns
 * that go: webhook endpoints are new since the last.
 */
export class FormerSecrets1763820000240 implements MigrationInterface {
  name = 'FormerSecrets1763820000240';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD former_secrets jsonb NOT NULL DEFAULT '[]';
      UPDATE webhook_endpoints
      SET former_secrets = jsonb_build_array(jsonb_build_object('secret', former_secret, 'until', former_secret_until))
      WHERE former_secret IS NOT NULL;
      ALTER TABLE webhook_endpoints DROP former_secret, DROP former_secret_until;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD former_secret text, ADD former_secret_until timestamptz;
      UPDATE webhook_endpoints
      SET former_secret = former_secrets -> 0 ->> 'secret',
        former_secret_until = (former_secrets -> 0 ->> 'until')::timestamptz;
      ALTER TABLE webhook_endpoints DROP former_secrets;
    `);
  }
}
