import { Injectable } from '@nestjs/common';
import { Decimal } from 'decimal.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { Database, type Statement } from '../database/database.js';
import { Reads } from '../database/reads.js';
import { PricingService } from '../pricing/pricing.service.js';
import type { TemplateCategory } from '../provider/wire.js';
import { CATEGORY_CHANGE } from '../templates/category-changes.service.js';
import type { CampaignRow } from './campaign.store.js';
import type { CampaignVerdict } from './domain/campaign-status.js';
import { campaignWarnings, type CampaignContext, type CampaignWarning } from './domain/campaign-warnings.js';

/** Rows priced between two reads. */
const BATCH = 1_000;

/** What the remaining rows cost, in the category of the check and in the present one. */
export interface RestOfCampaign {
  recipients: number;
  before: CampaignVerdict['costs'];
  now: CampaignVerdict['costs'];
}

/** What is to be expected of a campaign: before its start, and where its template has got another category. */
@Injectable()
export class CampaignOutlookService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly accounts: AccountsService,
    private readonly pricing: PricingService,
  ) {}

  /** None before the check. */
  async warningsOf({ id, verdict }: CampaignRow): Promise<CampaignWarning[]> {
    if (!verdict) return [];
    const [context] = await this.database.run<CampaignContext>(CONTEXT, [id]);
    return context ? campaignWarnings(verdict, context) : [];
  }

  /** Null unless the campaign was paused because of a new category. */
  async restOf(campaign: CampaignRow): Promise<RestOfCampaign | null> {
    const categories = campaign.cause?.categories;
    if (!categories) return null;
    const account = await this.accounts.find(campaign.tenant_id, campaign.messaging_account_id);
    const [before, now] = [new Costs(), new Costs()];
    const price = async (phone: string, category: string, costs: Costs) =>
      costs.add(await this.pricing.price(account, phone, category as TemplateCategory));
    let recipients = 0;
    let rows: { row_number: number; phone: string }[];
    let after = 0;
    do {
      rows = await this.reads.of(campaign.tenant_id).run(REST, [campaign.id, after, BATCH]);
      for (const { phone } of rows) {
        await price(phone, categories.from, before);
        await price(phone, categories.to, now);
      }
      recipients += rows.length;
      after = rows.at(-1)?.row_number ?? after;
    } while (rows.length === BATCH);
    return { recipients, before: before.all(), now: now.all() };
  }
}

/** Adds up prices by counting each one: few of them differ. */
class Costs {
  private readonly counts = new Map<string, { cost: string; currency: string; count: number }>();

  add(price: { cost: string; currency: string }): void {
    const key = `${price.cost} ${price.currency}`;
    const known = this.counts.get(key) ?? { ...price, count: 0 };
    known.count += 1;
    this.counts.set(key, known);
  }

  all(): CampaignVerdict['costs'] {
    const sums = new Map<string, Decimal>();
    for (const { cost, currency, count } of this.counts.values())
      sums.set(currency, new Decimal(cost).times(count).plus(sums.get(currency) ?? 0));
    return [...sums].map(([currency, amount]) => ({ currency, amount: amount.toFixed(6) }));
  }
}

/** `reached` is the use of the whole portfolio: each of its business accounts has the same figure. */
const CONTEXT: Statement = {
  name: 'campaign_context',
  text: `
    SELECT n.messaging_limit, b.recipients AS reached,
      (SELECT ${CATEGORY_CHANGE} FROM templates t WHERE t.business_account_id = b.id AND t.name = c.template_name
        AND t.language = c.language AND t.removed_at IS NULL) AS category_change
    FROM campaigns c JOIN messaging_accounts n ON n.id = c.messaging_account_id
    JOIN business_accounts b ON b.id = n.business_account_id
    WHERE c.id = $1`,
};

/** For campaigns that were started: their pending rows all have a phone, set by the check. */
export const REST: Statement = {
  name: 'campaign_rest',
  text: `
    SELECT row_number, phone FROM campaign_recipients
    WHERE campaign_id = $1 AND state = 'pending' AND row_number > $2
    ORDER BY row_number LIMIT $3`,
};
