import { ApiError } from '../common/errors.js';

/** A place in the stream: all up to it have been read. */
export interface Position {
  /** The id of an entry. */
  entry: number;
  /** How many of the entry's events have been read; {@link WHOLE}: all. */
  ordinal: number;
}

/** More events than any entry has. */
export const WHOLE = 2_147_483_647;

/** Before the first event. */
export const BEGINNING: Position = { entry: 0, ordinal: WHOLE };

/** A place in the stream, opaque to callers. */
export function encodePosition({ entry, ordinal }: Position): string {
  const text = ordinal === WHOLE ? String(entry) : `${entry}.${ordinal}`;
  return Buffer.from(text).toString('base64url');
}

/** @throws ApiError VALIDATION_FAILED when it is none of ours */
export function decodePosition(cursor: string): Position {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(Buffer.from(cursor, 'base64url').toString());
  const position = match && { entry: Number(match[1]), ordinal: match[2] ? Number(match[2]) : WHOLE };
  // Buffer reads over what is no base64: only our own spelling is taken.
  if (position && encodePosition(position) === cursor) return position;
  throw new ApiError(
    'VALIDATION_FAILED',
    'after must be a cursor of an event, or the next_cursor of an earlier answer.',
    [{ field: 'after' }],
  );
}
