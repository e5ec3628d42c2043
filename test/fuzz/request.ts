import { Agent, type IncomingHttpHeaders, request as call } from 'node:http';

/** One request as it is sent. */
export interface FuzzRequest {
  method: string;
  /** Path and query, in visible ASCII. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** Whether the body goes out in chunks, without its length. */
  chunked?: boolean;
}

export interface FuzzAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, if it is JSON and its Content-Type says so. */
  json: unknown;
}

/** Milliseconds: an answer that takes longer is a fault by itself. */
const PATIENCE = 30_000;

const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads the whole answer; of an event stream, the first event. */
export function ask(url: string, { method, path, headers, body, chunked }: FuzzRequest): Promise<FuzzAnswer> {
  const framing: Record<string, string> =
    body === undefined
      ? {}
      : chunked
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': String(body.length) };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...framing } };
    const outgoing = call(options, (response) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString()));
      response
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
          end();
          response.destroy();
        })
        .on('end', end)
        .on('error', reject);
    });
    outgoing.setTimeout(PATIENCE, () => outgoing.destroy(new Error(`No answer in ${PATIENCE} ms`)));
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE'
        ? resolve(answerOf(0, {}, String(error.message)))
        : reject(error),
    );
    outgoing.end(body);
  });
}

function answerOf(status: number, headers: IncomingHttpHeaders, text: string): FuzzAnswer {
  return { status, headers, text, json: jsonOf(headers['content-type'], text) };
}

function jsonOf(type: string | undefined, text: string): unknown {
  if (!type?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes of a request's line and headers that are surely read; Node's limit is 16 KiB. */
const SHORT_HEAD = 15 * 1024;

/** Whether the headers are short enough to be read. Otherwise the answer cannot have the request's own id. */
export function isReadable({ path, headers }: FuzzRequest): boolean {
  return path.length + JSON.stringify(headers).length < SHORT_HEAD;
}

/** Characters of a body that are shown. */
const MOST_SHOWN = 4_000;

/** The request as a line for a shell. */
export function curlOf(url: string, { method, path, headers, body, chunked }: FuzzRequest): string {
  const parts = [`curl -i -g --path-as-is -X ${method} ${quoted(Buffer.from(`${url}${path}`))}`];
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quoted(Buffer.from(`${name}: ${value}`, 'latin1'))}`);
  if (chunked) parts.push("-H 'Transfer-Encoding: chunked'");
  if (body) parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(' ');
}

/** Bytes as a word of a shell: unchanged if they are harmless, else with escapes. */
function quoted(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const shown = text.slice(0, MOST_SHOWN);
  const rest = text.length > MOST_SHOWN ? `…and ${text.length - MOST_SHOWN} more bytes` : '';
  if (/^[\x20-\x7e]*$/.test(shown) && !shown.includes("'")) return `'${shown}${rest}'`;
  const escaped = shown.replaceAll(
    /[^\x20-\x7e]|['\\]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}${rest}'`;
}
