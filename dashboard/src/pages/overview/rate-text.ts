import { formatPercent } from '../../format';
import { strings } from '../../strings';

/** A rate in percent, or a dash when there is none. */
export function rateText(rate: number | null): string {
  return rate === null ? strings.common.none : formatPercent(rate);
}
