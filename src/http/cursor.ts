import { ApiError } from '../common/errors.js';

/** A place in the list: the last message of the page before. */
export interface PagePosition {
  createdAt: Date;
  id: number;
}

/** A place in a list, opaque to callers. */
export function encodeCursor({ createdAt, id }: PagePosition): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

/** @throws ApiError VALIDATION_FAILED when it is none of ours */
export function decodeCursor(cursor: string): PagePosition {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const position = match && { createdAt: new Date(Number(match[1])), id: Number(match[2]) };
  // Buffer reads over what is no base64: only our own spelling is taken.
  if (position && encodeCursor(position) === cursor) return position;
  throw new ApiError('VALIDATION_FAILED', 'cursor must be the next_cursor of an earlier answer.', [
    { field: 'cursor' },
  ]);
}
