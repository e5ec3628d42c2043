import type { CampaignRow } from '../../campaigns/campaign.store.js';

/** A campaign as the page shows it. */
export function viewOf(campaign: CampaignRow) {
  const { id, tenant_id: _tenant, template_revision: _revision, row_count: rows, ...shown } = campaign;
  const { template_name: name, language, file_name, columns, ...rest } = shown;
  return {
    campaign_id: id,
    ...rest,
    template: { name, language },
    file: file_name === null ? null : { name: file_name, columns: columns ?? [], rows },
  };
}
