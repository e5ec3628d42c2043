import type { ServerResponse } from 'node:http';

/**
 * Says when the caller may no longer wait for the answer: its connection is closed, or its half of it is. Who only
 * disconnects is not told apart from who sends nothing more and still reads, so an answer should follow at once.
 */
export function callerLeft(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort();
  const { socket } = response.req;
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => {
    socket.off('end', leave);
    leave();
  });
  return left.signal;
}
