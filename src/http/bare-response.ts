import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Milliseconds for which a connection stays open behind its last answer, for callers that still send: closed at once,
 * the answer would be lost to them.
 */
const LINGER = 1_000;

/**
 * A response on a connection for which Node gives none, as it could not read the request. It ends the connection.
 * @param request what there is of it
 */
export function bareResponse(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    socket.end();
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER).unref();
  });
  return response;
}
