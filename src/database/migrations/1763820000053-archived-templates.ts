import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status that a template had before it was archived, for its return. A trigger keeps it, whoever archives. */
export class ArchivedTemplates1763820000053 implements MigrationInterface {
  name = 'ArchivedTemplates1763820000053';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE templates ADD COLUMN status_before_archive text;

      CREATE FUNCTION note_archived_template() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.provider_status = 'ARCHIVED' AND OLD.status_before_archive IS NULL THEN
            NEW.status_before_archive := OLD.status;
          ELSIF NEW.provider_status IN ('UNARCHIVED', 'REINSTATED', 'PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED')
          THEN
            NEW.status_before_archive := NULL;
          END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER templates_archive BEFORE UPDATE ON templates
        FOR EACH ROW WHEN (OLD.provider_status <> NEW.provider_status) EXECUTE FUNCTION note_archived_template();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER templates_archive ON templates;
      DROP FUNCTION note_archived_template;
      ALTER TABLE templates DROP COLUMN status_before_archive;
    `);
  }
}
