import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import type { WireTemplateComponent } from '../../provider/wire.js';

/** What the page needs of a campaign's template, to ask for its parameters and to show it. */
export interface CampaignTemplate {
  template_id: number;
  category: string;
  status: string;
  status_reason: string | null;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: WireTemplateComponent[];
}

/** Reads the templates that campaigns send, whatever their status. */
@Injectable()
export class CampaignTemplatesService {
  constructor(private readonly database: Database) {}

  /** Null when the tenant's number has no such template. */
  async find(
    tenantId: string,
    messagingAccountId: string,
    { name, language }: { name: string; language: string },
  ): Promise<CampaignTemplate | null> {
    const values = [tenantId, messagingAccountId, name, language];
    const [row] = await this.database.run<CampaignTemplate>(FIND, values);
    return row ?? null;
  }
}

const FIND: Statement = {
  name: 'campaign_template',
  text: `
    SELECT t.id AS template_id, t.category, t.status, t.status_reason, t.parameter_format, t.body_json AS components
    FROM messaging_accounts n JOIN templates t ON t.business_account_id = n.business_account_id
    WHERE n.tenant_id = $1 AND n.api_id = $2 AND t.name = $3 AND t.language = $4 AND t.removed_at IS NULL`,
};
