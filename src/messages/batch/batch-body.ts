import { ApiError, type ErrorDetail } from '../../common/errors.js';

/** Messages of a batch at most. */
export const MOST_MESSAGES = 1_000;

/**
 * The messages of a body that is a batch; they may be anything.
 * @throws ApiError VALIDATION_FAILED
 */
export function messagesIn(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refused([{ field: 'messages', message: `${RULE}` }]);
  const { messages, ...others } = body as { messages?: unknown };
  const unknown = Object.keys(others).map((field) => ({
    field,
    message: `property ${field} should not exist`,
  }));
  const isBatch = Array.isArray(messages) && messages.length >= 1 && messages.length <= MOST_MESSAGES;
  const details = [...unknown.slice(0, 1), ...(isBatch ? [] : [{ field: 'messages', message: RULE }])];
  if (details.length > 0) throw refused(details);
  return messages as unknown[];
}

const RULE = `messages must be an array of 1 to ${MOST_MESSAGES.toLocaleString('en-US')} messages`;

const refused = (details: ErrorDetail[]) =>
  new ApiError('VALIDATION_FAILED', `${details.map(({ message }) => String(message)).join('; ')}.`, details);
