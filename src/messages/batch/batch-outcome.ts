import type { TemplateCategory } from '../../provider/wire.js';
import type { OptOutScope } from '../../recipients/domain/opt-out.js';
import { type ReachedLimit, spendLimitReached } from '../../spending/spend-limit-reached.js';
import { optedOut } from '../../recipients/opt-outs.service.js';
import type { ApiError } from '../../common/errors.js';
import { acknowledge } from '../acknowledge.js';
import type { BatchAnswer, BatchResult, RefusedResult } from '../dto/batch.dto.js';

/** What came of a batch, as it is kept with its key: each message, by its index, is in one of the lists. */
export interface BatchOutcome {
  accepted: [index: number, id: number, category: TemplateCategory, cost: number | string][];
  opted_out: [index: number, scope: OptOutScope][];
  /** Missing in what was kept before there were limits. */
  over_limit?: [index: number, limits: ReachedLimit[]][];
  refused: RefusedResult[];
}

export function refusal(index: number, { code, message, details }: ApiError): RefusedResult {
  return { index, error: { code, message, details } as RefusedResult['error'] };
}

/** The answer, in the order of the request: always the same for an outcome, so that a repeated batch gets it again. */
export function answerOf({ accepted, opted_out, over_limit = [], refused }: BatchOutcome): BatchAnswer {
  const results: BatchResult[] = [
    ...accepted.map(([index, id, category, cost]) => ({ index, ...acknowledge(id, category, String(cost)) })),
    ...opted_out.map(([index, scope]) => refusal(index, optedOut(scope))),
    ...over_limit.map(([index, limits]) => refusal(index, spendLimitReached(limits))),
    ...refused,
  ];
  return {
    accepted: accepted.length,
    refused: results.length - accepted.length,
    results: results.toSorted((a, b) => a.index - b.index),
  };
}
