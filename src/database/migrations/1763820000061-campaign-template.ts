import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The template that a campaign was checked with; its revision is known. After a number's move, it is another one. */
export class CampaignTemplate1763820000061 implements MigrationInterface {
  name = 'CampaignTemplate1763820000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE campaigns ADD template_id integer;
      UPDATE campaigns c SET template_id = t.id FROM messaging_accounts n JOIN templates t USING (business_account_id)
      WHERE n.id = c.messaging_account_id AND t.name = c.template_name AND t.language = c.language
        AND t.removed_at IS NULL AND c.template_revision IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE campaigns DROP template_id');
  }
}
