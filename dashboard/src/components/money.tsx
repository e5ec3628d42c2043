import { formatMoney } from '../format';

interface MoneyProps {
  /** A decimal string as the service has it, with up to six places. */
  amount: string;
  /** ISO 4217. */
  currency: string;
}

export function Money({ amount, currency }: MoneyProps) {
  return <span className="tabular">{formatMoney(amount, currency)}</span>;
}
