import { PassThrough, type Readable } from 'node:stream';
import type { Request } from 'express';
import { ApiError } from '../common/errors.js';

/** An upload as it arrives. */
export interface RawBody {
  /** The MIME type without parameters, lower case; empty when none was named. */
  fileType: string;
  /** Bytes. */
  length: number;
  stream: Readable;
}

/** Milliseconds after which a body of which nothing more comes is given up, as the page does (dashboard/src/api/upload.ts). */
const STANDSTILL = 90_000;

/**
 * Gives a request's raw body to `use`, which may leave it unread. Its stream ends with an error when the caller leaves,
 * or sends nothing more for `patience` milliseconds.
 * @throws ApiError VALIDATION_FAILED without a Content-Length: whoever takes a file wants to know its size beforehand
 */
export async function withRawBody<Result>(
  request: Request,
  use: (body: RawBody) => Promise<Result>,
  patience = STANDSTILL,
): Promise<Result> {
  const fileType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const length = lengthOf(request);
  const stream = streamOf(request, patience);
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
function streamOf(request: Request, patience: number): PassThrough {
  const body = new PassThrough();
  body.on('error', () => undefined); // told to whoever reads it; nobody may yet
  request.once('error', (error) => body.destroy(error));
  request.setTimeout(patience, () => request.destroy(new Error('Nothing more of the body has come.')));
  // What is done with a whole body may take longer.
  request.once('end', () => request.setTimeout(0));
  // A caller who has left by now is not told of any more.
  if (request.destroyed) body.destroy(new Error('The connection was lost before the body was read.'));
  return request.pipe(body);
}
