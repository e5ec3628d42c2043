import type { CampaignRow } from '../../campaigns/campaign.store.js';

/** A campaign as the page shows it. */
export function viewOf(campaign: CampaignRow) {
  const { id, row_count: rows, template_name: name, language, file_name, columns, ...shown } = campaign;
  const { tenant_id: _tenant, business_account_id: _account, ...others } = shown;
  const { template_id: _template, template_revision: _revision, ...rest } = others;
  return {
    campaign_id: id,
    ...rest,
    template: { name, language },
    file: file_name === null ? null : { name: file_name, columns: columns ?? [], rows },
  };
}
