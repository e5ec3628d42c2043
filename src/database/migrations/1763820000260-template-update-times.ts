import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which a webhook that comes late or again is known for an old one, and a list for one from before a webhook. */
export class TemplateUpdateTimes1763820000260 implements MigrationInterface {
  name = 'TemplateUpdateTimes1763820000260';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates ADD category_event_at timestamptz, ADD category_changed_at timestamptz,
        ADD quality_event_at timestamptz, ADD quality_changed_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates DROP category_event_at, DROP category_changed_at, DROP quality_event_at,
        DROP quality_changed_at;
    `);
  }
}
