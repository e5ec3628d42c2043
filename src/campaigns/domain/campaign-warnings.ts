import { peopleOf } from '../../numbers/domain/messaging-limit.js';
import type { CampaignVerdict } from './campaign-status.js';

/** What people should know before they start a campaign. No warning prevents the start. */
export type CampaignWarning =
  /** The provider delivers no marketing to numbers of the United States. */
  | { kind: 'us_marketing'; recipients: number }
  /** More people than the portfolio may still reach today; it needs about `hours` to reach all of them. */
  | { kind: 'limit'; limit: number; reached: number; hours: number }
  /** The provider has announced another category, and with it another price. */
  | { kind: 'category_change'; category: string; at: string };

/** What a campaign's warnings depend on beside its check. */
export interface CampaignContext {
  /** The limit of the number's portfolio, such as `TIER_2K`; null where it is not known. */
  messaging_limit: string | null;
  /** To how many people the portfolio has sent in 24 hours; null before the first count. */
  reached: number | null;
  category_change: { category: string; at: string } | null;
}

export function campaignWarnings(
  { good, us_marketing: american = 0 }: CampaignVerdict,
  { messaging_limit: tier, reached, category_change: change }: CampaignContext,
): CampaignWarning[] {
  const limit = tier === null ? null : peopleOf(tier);
  return [
    ...(american > 0 ? [{ kind: 'us_marketing' as const, recipients: american }] : []),
    ...(limit === null ? [] : limitWarning(good - american, limit, reached ?? 0)),
    ...(change ? [{ kind: 'category_change' as const, ...change }] : []),
  ];
}

/**
 * The limit counts people over the last 24 hours, so on average a 24th of it is reached in an hour. People who were
 * reached before count in full, as it is not known which of them are in the list.
 */
function limitWarning(recipients: number, limit: number, reached: number): CampaignWarning[] {
  const all = recipients + reached;
  if (all <= limit) return [];
  return [{ kind: 'limit', limit, reached, hours: Math.ceil((24 * all) / limit) }];
}
