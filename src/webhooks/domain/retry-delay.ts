/** Milliseconds; about ten minutes in all. */
const DELAYS = [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000];

/**
 * How long a delivery waits whose receipts fit no message: the provider's answer with the message's id may still be
 * on its way. Null when that has been tried often enough.
 * @param tries made before this one
 */
export function retryDelay(tries: number): number | null {
  return DELAYS[tries] ?? null;
}
