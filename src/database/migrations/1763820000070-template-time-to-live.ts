import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For how long the provider tries to deliver a template's messages, where the template says so. */
export class TemplateTimeToLive1763820000070 implements MigrationInterface {
  name = 'TemplateTimeToLive1763820000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE templates ADD COLUMN message_send_ttl_seconds integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE templates DROP COLUMN message_send_ttl_seconds');
  }
}
