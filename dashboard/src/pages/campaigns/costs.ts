import type { CampaignVerdict } from '../../../../src/campaigns/domain/campaign-status';
import { formatMoney } from '../../format';
import { strings } from '../../strings';

/** What the good rows cost, as people say it. */
export function costText({ costs }: Pick<CampaignVerdict, 'costs'>): string {
  const amounts = costs.map(({ amount, currency }) => formatMoney(amount, currency));
  return amounts.length === 0 ? strings.campaigns.start.free : amounts.join(' + ');
}

/** Seconds as "2 minutes": one unit, rounded up. */
export function durationText(seconds: number): string {
  const texts = strings.campaigns.detail;
  if (seconds < 100) return texts.seconds(Math.max(1, Math.ceil(seconds)));
  if (seconds < 6_000) return texts.minutes(Math.ceil(seconds / 60));
  return texts.hours(Math.ceil(seconds / 3_600));
}
