import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer as it came over the connection. */
export interface WireAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface Conversation {
  answers: WireAnswer[];
  /** The bytes that came and are no answer. */
  rest: string;
}

/** Milliseconds that a connection may stay open without a byte. */
const PATIENCE = 60_000;

/**
 * Writes these pieces to a new connection, each as a packet, and reads until the service closes it.
 * @param leave whether to end our half of the connection; otherwise the request has to ask for the end
 */
export async function converse(
  url: string,
  pieces: readonly Buffer[],
  leave: boolean,
): Promise<Conversation> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined); // what came before the connection was cut is enough
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error('nothing came')));
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'connect'), closed]);
  for (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece);
    await new Promise(setImmediate);
  }
  if (leave) socket.end();
  await closed;
  return answersIn(Buffer.concat(received));
}

/** The answers of a connection, one after the other. */
export function answersIn(bytes: Buffer): Conversation {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const next = takeAnswer(rest);
    if (!next) return { answers, rest: rest.toString('latin1') };
    if (next.answer.status >= 200) answers.push(next.answer);
    rest = next.rest;
  }
}

function takeAnswer(bytes: Buffer): { answer: WireAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  if (end === -1 || !status) return null;
  const headers = new Map(
    lines.map((header): [string, string] => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const after = bytes.subarray(end + 4);
  const length = Number(headers.get('content-length') ?? (status < 200 || status === 304 ? 0 : NaN));
  if (!(length <= after.length)) return null; // cut off, or in chunks, which no answer here is
  const answer = { status, headers, body: after.toString('utf8', 0, length) };
  return { answer, rest: after.subarray(length) };
}
