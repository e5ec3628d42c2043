import type { IncomingMessage } from 'node:http';

/** Bytes of an upload that have to come in each period: 70 times less than the slowest mobile networks carry. */
const UPLOAD_PACE = 64 * 1024;

/** For how long a body may come. */
export interface BodyTime {
  /** Milliseconds for a whole body; of an upload for its next {@link UPLOAD_PACE} bytes. */
  period: number;
  /** Uploads may be large, and lines slow: they may take any time, as long as they come. */
  isUpload(request: IncomingMessage): boolean;
}

/**
 * Calls `late` when the body of a request does not come in its time. Node's own limit is one for all requests, and
 * counts from their first byte.
 */
export function limitBodyTime(request: IncomingMessage, time: BodyTime, late: () => void): void {
  if (!hasBody(request)) return;
  const isUpload = time.isUpload(request); // now: Express changes the path on its way
  // Most bodies come in one piece with their headers: they are there when the piece has been read.
  process.nextTick(() => {
    if (!request.complete && !request.destroyed) watch(request, time.period, isUpload, late);
  });
}

function watch(request: IncomingMessage, period: number, isUpload: boolean, late: () => void): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setTimeout(() => {
    if (request.complete) return;
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    if (mayGoOn({ isUpload, came, waiting: request.readableLength })) timer.refresh();
    else late();
  }, period);
  request.once('close', () => clearTimeout(timer));
}

/**
 * Whether a body that is not complete at the end of a period gets another.
 * @param body.came bytes in this period
 * @param body.waiting bytes that have come and are not taken yet: the service lets the caller wait, not the other way
 */
export function mayGoOn({ isUpload, came, waiting }: { isUpload: boolean; came: number; waiting: number }) {
  return isUpload && (came >= UPLOAD_PACE || waiting > 0);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
