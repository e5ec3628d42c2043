import { PassThrough, type Readable } from 'node:stream';
import type { Request } from 'express';
import { ApiError } from '../../common/errors.js';

/** An upload as it arrives. */
export interface RawBody {
  /** The MIME type without parameters, lower case; empty when none was named. */
  fileType: string;
  /** Bytes. */
  length: number;
  stream: Readable;
}

/**
 * Gives a request's raw body to `use`, which may leave it unread.
 * @throws ApiError VALIDATION_FAILED without a Content-Length: whoever takes a file wants to know its size beforehand
 */
export async function withRawBody<Result>(
  request: Request,
  use: (body: RawBody) => Promise<Result>,
): Promise<Result> {
  const fileType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const length = lengthOf(request);
  const stream = streamOf(request);
  try {
    return await use({ fileType, length, stream });
  } finally {
    // What nobody wants any more has to be read all the same, or the browser never gets to the answer.
    request.unpipe(stream);
    request.resume();
  }
}

function lengthOf({ headers }: Request): number {
  const length = Number(headers['content-length']);
  if (Number.isSafeInteger(length)) return length;
  throw new ApiError('VALIDATION_FAILED', 'Send the size of the file in the header Content-Length.');
}

/** The body as a stream whose end by a failed call leaves the request's own connection open, for the answer. */
function streamOf(request: Request): PassThrough {
  const body = new PassThrough();
  body.on('error', () => undefined); // told to whoever reads it; nobody may yet
  request.once('error', (error) => body.destroy(error));
  return request.pipe(body);
}
