import { ApiError } from '../../common/errors.js';
import { parseRateCard, RateCardError, type RateCardRow } from '../../pricing/domain/rate-card.js';
import type { SessionUser } from '../sessions/session-user.js';

/** Faults of a file that are listed at most. */
const MAX_FAULTS = 100;

/** @throws ApiError FORBIDDEN */
export function requireOperator({ operator }: SessionUser): void {
  if (operator) return;
  throw new ApiError('FORBIDDEN', 'Only operators may load the rate card, which all tenants share.');
}

/** @throws ApiError VALIDATION_FAILED with the faulty lines */
export function readCard(csv: string): RateCardRow[] {
  try {
    return parseRateCard(csv);
  } catch (error) {
    if (!(error instanceof RateCardError)) throw error;
    const details = error.faults.map(({ line, reason }) => ({ field: 'csv', line, message: reason }));
    const message = `The file has ${details.length === 1 ? '1 fault' : `${details.length} faults`}.`;
    throw new ApiError('VALIDATION_FAILED', message, details.slice(0, MAX_FAULTS));
  }
}
