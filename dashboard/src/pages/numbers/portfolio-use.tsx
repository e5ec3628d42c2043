import { IconAlertTriangle } from '@tabler/icons-react';
import { NEARLY_REACHED, peopleOf } from '../../../../src/numbers/domain/messaging-limit';
import { Explained } from '../../components/explained';
import { ToneBadge } from '../../components/tone-badge';
import { formatNumber, formatPercent } from '../../format';
import { strings } from '../../strings';
import type { BusinessAccount } from './types';

const texts = strings.numbers;

/** The number of people whom the portfolio has sent to in 24 hours, and its part of the limit. */
export function PortfolioUse({ account, limit }: { account: BusinessAccount; limit: string | null }) {
  const { recipients, recipients_is_more: isMore, portfolio_id: portfolio } = account;
  if (recipients === null) return texts.limitUnknown;
  const people = isMore ? texts.atLeast(formatNumber(recipients)) : formatNumber(recipients);
  const most = limit === null ? null : peopleOf(limit);
  const part = most ? recipients / most : 0;
  const words = most ? texts.reachedOf(people, formatPercent(part)) : people;
  const meaning = portfolio === null ? texts.ofAccount : texts.ofPortfolio;
  if (part >= NEARLY_REACHED)
    return <ToneBadge tone="warn" icon={IconAlertTriangle} label={words} reason={meaning} size="sm" />;
  return (
    <Explained by={meaning} fz="sm">
      {words}
    </Explained>
  );
}

/** A tier such as `TIER_2K` in words. */
export function limitText(tier: string): string {
  const people = peopleOf(tier);
  if (people) return texts.people(formatNumber(people));
  return tier === 'TIER_UNLIMITED' ? texts.noLimit : tier;
}
