import { ApiError } from '../../common/errors.js';
import type { PauseCause, RowFault } from './campaign-status.js';
import { type CampaignMapping, type FilledRow, slotOfField } from './mapping.js';

/** What a failed send of a row means for its campaign. */
export type Refusal =
  /** The row is at fault. */
  | { kind: 'refused'; fault: RowFault }
  /** Every row would fail: the template or number is no longer as checked, or the service is at fault. */
  | { kind: 'pause'; cause: PauseCause }
  /** Not accepted for now; the row is tried again later. */
  | { kind: 'later' };

/**
 * Codes that no row alone can cause after its check: the template has been paused, disabled, removed or edited, the
 * number is gone, or no more may be spent.
 */
const OF_ALL_ROWS = new Set([
  'ACCOUNT_NOT_FOUND',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_PAUSED',
  'TEMPLATE_PARAMS_MISMATCH',
  'TEMPLATE_HEADER_MEDIA_REQUIRED',
  'SPEND_LIMIT_REACHED',
]);

export function readRefusal(error: ApiError, row: FilledRow): Refusal {
  if (error.status >= 500) return { kind: 'later' };
  if (OF_ALL_ROWS.has(error.code))
    return { kind: 'pause', cause: { code: error.code, message: error.message } };
  return { kind: 'refused', fault: faultOfRow(error, row) };
}

/** A fault as people see it beside the row: what is wrong, and in which slot and column. */
export function faultOfRow(
  error: ApiError,
  row: FilledRow,
  { mapping, columns }: { mapping: CampaignMapping; columns: string[] } = { mapping: {}, columns: [] },
): RowFault {
  const [detail] = error.details;
  const slot = slotOfField(detail?.field, row);
  const source = slot === undefined ? undefined : mapping[slot];
  const column = source && 'column' in source ? columns[source.column] : undefined;
  const own = detail?.['message'];
  return {
    code: error.code,
    message: typeof own === 'string' ? own : error.message,
    ...(slot !== undefined && { slot }),
    ...(column !== undefined && { column }),
  };
}
