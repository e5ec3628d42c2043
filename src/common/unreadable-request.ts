import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_STATUS } from './errors.js';

const CODE = 'VALIDATION_FAILED';

/** Answers what Node's HTTP parser refuses (such as headers that are too large) in the documented envelope. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: underWay } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
    socket.destroy(error);
    return;
  }
  const message = 'The request is not HTTP that can be read, or its headers are too large.';
  const requestId = randomUUID();
  const body = { success: false, error: { code: CODE, message, details: [] }, request_id: requestId };
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${ERROR_STATUS[CODE]} Bad Request`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${json.length}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
}
