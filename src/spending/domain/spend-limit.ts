/** What a limit is for: all that a tenant sends, or what goes out by one of its numbers, or comes by one of its keys. */
export const SPEND_SCOPES = ['tenant', 'number', 'api_key'] as const;
export type SpendScope = (typeof SPEND_SCOPES)[number];

/** Days and months begin at midnight UTC. */
export const SPEND_PERIODS = ['day', 'month'] as const;
export type SpendPeriod = (typeof SPEND_PERIODS)[number];

/** What a limit may be: a decimal, large enough for a month in a currency of small units. */
export const SPEND_AMOUNT = /^\d{1,12}(\.\d{1,6})?$/;

/** Percentages of a limit at which people are told, once each in a period. */
export const TOLD_AT = [50, 80, 100] as const;

/** When the period that `time` is in begins. */
export function periodStart(period: SpendPeriod, time: Date): Date {
  const day = period === 'day' ? time.getUTCDate() : 1;
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), day));
}

/** When the period that began at `start` ends, and the limit begins anew. */
export function periodEnd(period: SpendPeriod, start: Date): Date {
  const [days, months] = period === 'day' ? [1, 0] : [0, 1];
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, start.getUTCDate() + days));
}

/** What a limit is called within a sentence, such as `daily limit of the tenant`. */
export function nameOfLimit({ scope, period }: { scope: SpendScope; period: SpendPeriod }): string {
  return `${period === 'day' ? 'daily' : 'monthly'} limit of the ${scope === 'api_key' ? 'API key' : scope}`;
}
