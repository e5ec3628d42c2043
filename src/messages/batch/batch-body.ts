import type { ErrorDetail } from '../../common/errors.js';
import { validationFailed } from '../../http/validation.pipe.js';

/** Messages of a batch at most. */
export const MOST_MESSAGES = 1_000;

/**
 * The messages of a body that is a batch; they may be anything.
 * @throws ApiError VALIDATION_FAILED
 */
export function messagesIn(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw validationFailed([NO_BATCH]);
  const { messages, ...others } = body as { messages?: unknown };
  const isBatch = Array.isArray(messages) && messages.length >= 1 && messages.length <= MOST_MESSAGES;
  const unknown = Object.keys(others).map((field) => ({
    field,
    message: `property ${field} should not exist`,
  }));
  const details: ErrorDetail[] = [...(isBatch ? [] : [NO_BATCH]), ...unknown];
  if (details.length > 0) throw validationFailed(details);
  return messages as unknown[];
}

const NO_BATCH = {
  field: 'messages',
  message: `messages must be an array of 1 to ${MOST_MESSAGES.toLocaleString('en-US')} messages`,
};
