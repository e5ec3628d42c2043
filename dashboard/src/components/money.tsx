import { formatMoney } from '../format';

interface MoneyProps {
  /** A decimal string from the service, with up to six places. */
  amount: string;
  /** The currency's code of ISO 4217. */
  currency: string;
}

export function Money({ amount, currency }: MoneyProps) {
  return <span className="tabular">{formatMoney(amount, currency)}</span>;
}
