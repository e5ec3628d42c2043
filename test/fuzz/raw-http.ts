import fc from 'fast-check';
import { DEMO } from '../../src/embedded/demo.js';
import { sendBody } from '../support/api.js';
import { SECRETS } from '../support/service.js';
import { sign } from '../support/webhooks.js';
import { report } from './hunt.js';
import { envelopeFaults } from './oracle.js';
import { converse, type WireAnswer } from './raw-connection.js';
import { ask } from './request.js';
import type { World } from './world.js';

/** A request before it becomes bytes. */
interface RawRequest {
  line: string;
  headers: [name: string, value: string][];
  body: string;
}

const AUTHORIZATION: [string, string] = ['Authorization', `Bearer ${SECRETS.demoApiKey}`];
const HOST: [string, string] = ['Host', 'localhost'];

function withBody(line: string, body: string, headers: [string, string][]): RawRequest {
  const length: [string, string] = ['Content-Length', String(Buffer.byteLength(body))];
  return { line, headers: [HOST, ['Content-Type', 'application/json'], length, ...headers], body };
}

const delivery = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: DEMO.wabaId, changes: [] }],
});

/** Good requests with the status of their answers: for the API and the webhooks, and for Express. */
const GOOD: [RawRequest, status: number][] = [
  [
    withBody('POST /api/v1/messages/send HTTP/1.1', JSON.stringify(sendBody('+12025550102')), [
      AUTHORIZATION,
    ]),
    202,
  ],
  [
    {
      line: `GET /api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId} HTTP/1.1`,
      headers: [HOST, AUTHORIZATION],
      body: '',
    },
    200,
  ],
  [
    withBody('POST /webhooks/provider HTTP/1.1', delivery, [
      ['X-Hub-Signature-256', sign(delivery, SECRETS.sandboxAppSecret)],
    ]),
    200,
  ],
  [{ line: 'GET /api/v1/messages?limit=1 HTTP/1.1', headers: [HOST, AUTHORIZATION], body: '' }, 200],
  [withBody('POST /api/v1/messages/999999999/cancel HTTP/1.1', '{}', [AUTHORIZATION]), 404],
  [{ line: 'GET /nowhere HTTP/1.1', headers: [HOST], body: '' }, 404],
  [withBody('POST /dashboard/api/session HTTP/1.1', '{"email":"a@b.c","password":1}', []), 400],
];

const good = fc.constantFrom(...GOOD);
const cuts = fc.array(fc.nat(2_000), { maxLength: 6 });

/** The bytes of a request, in pieces that end at these places. */
function pieces({ line, headers, body }: RawRequest, at: readonly number[]): Buffer[] {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return cut(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'), at);
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places]
    .map((start, i) => bytes.subarray(start, places[i] ?? bytes.length))
    .filter((piece) => piece.length > 0);
}

const LAST: [string, string] = ['Connection', 'close'];

/** A good request gets its answer, however it is cut into packets, also when the client has ended its half. */
export const splitProperty = (world: World) =>
  fc.asyncProperty(good, cuts, fc.boolean(), async ([request, status], at, leaves) => {
    const whole = { ...request, headers: [...request.headers, LAST] };
    const parts = pieces(whole, at);
    const { answers, rest } = await converse(world.service.url, parts, leaves);
    const faults = answers.flatMap((answer) => answerFaults(answer));
    const statuses = answers.map((answer) => answer.status);
    if (rest !== '' || statuses.length !== 1 || statuses[0] !== status)
      faults.push(`expected ${status}, got ${JSON.stringify(statuses)} ${rest.slice(0, 200)}`);
    report(faults, shown(parts, leaves));
  });

/** Each of several requests that are sent over one connection without waiting gets its answer, in order. */
export const pipelineProperty = (world: World) =>
  fc.asyncProperty(fc.array(good, { minLength: 2, maxLength: 4 }), cuts, async (requests, at) => {
    const bytes = requests.map(([request], i) =>
      Buffer.concat(
        pieces(i === requests.length - 1 ? { ...request, headers: [...request.headers, LAST] } : request, []),
      ),
    );
    const parts = cut(Buffer.concat(bytes), at);
    const { answers, rest } = await converse(world.service.url, parts, false);
    const faults = answers.flatMap((answer) => answerFaults(answer));
    const [expected, actual] = [requests.map(([, status]) => status), answers.map(({ status }) => status)];
    if (rest !== '' || JSON.stringify(actual) !== JSON.stringify(expected))
      faults.push(
        `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)} ${rest.slice(0, 200)}`,
      );
    report(faults, shown(parts, false));
  });

const HEADERS: [string, string][] = [
  ['Content-Length', '-1'],
  ['Content-Length', '1e3'],
  ['Content-Length', '5'],
  ['Content-Length', '99999999999999999999'],
  ['Content-Length', '4000000'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Transfer-Encoding', 'nonsense'],
  ['Expect', '100-continue'],
  ['Expect', 'miracles'],
  ['Host', 'another'],
  ['Host', ''],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Content-Type', 'application/json;'],
  ['Content-Type', 'multipart/form-data; boundary='],
  ['Content-Encoding', 'gzip'],
  ['Authorization', 'Bearer \x80\xff'],
  ['Cookie', '='.repeat(300)],
  ['X-Long', 'x'.repeat(20_000)],
  ['X-Request-Id', 'a\tb'],
  ['Bad Name', '1'],
  ['', '1'],
  ['X-Folded', 'a\r\n b'],
  ['X-Nul', 'a\0b'],
  ['X-Bare', 'a\nX-Injected: 1'],
  ['Idempotency-Key', '\xe9'],
];

const LINES = [
  'GET / HTTP/1.0',
  'GET / HTTP/2.0',
  'GET / HTTP/1.1 ',
  'GET  / HTTP/1.1',
  'GET /\x80 HTTP/1.1',
  'GET /%00 HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET nowhere HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET http://example.com/api/v1/templates HTTP/1.1',
  'GET //example.com/ HTTP/1.1',
  'CONNECT example.com:443 HTTP/1.1',
  'TRACE / HTTP/1.1',
  'BREW /pot HTTP/1.1',
  'get / HTTP/1.1',
  '\x16\x03\x01\x02\x00\x01',
  'PRI * HTTP/2.0',
  '',
];

/** What is done to a good request. */
type Harm =
  | { kind: 'line'; line: string }
  | { kind: 'add'; header: [string, string] }
  | { kind: 'replace'; header: [string, string] }
  | { kind: 'drop'; nth: number }
  | { kind: 'bytes'; place: number; bytes: number[] }
  | { kind: 'short'; place: number };

const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.constantFrom(...LINES).map((line): Harm => ({ kind: 'line', line })),
  fc.constantFrom(...HEADERS).map((header): Harm => ({ kind: 'add', header })),
  fc.constantFrom(...HEADERS).map((header): Harm => ({ kind: 'replace', header })),
  fc.nat(5).map((nth): Harm => ({ kind: 'drop', nth })),
  fc
    .tuple(fc.nat(2_000), fc.array(fc.nat(255), { minLength: 1, maxLength: 4 }))
    .map(([place, bytes]): Harm => ({ kind: 'bytes', place, bytes })),
  fc.nat(2_000).map((place): Harm => ({ kind: 'short', place })),
);

function harmed(request: RawRequest, harms: readonly Harm[]): Buffer {
  let { line, headers } = request;
  for (const one of harms) {
    if (one.kind === 'line') ({ line } = one);
    else if (one.kind === 'add') headers = [...headers, one.header];
    else if (one.kind === 'drop') headers = headers.toSpliced(one.nth % headers.length, 1);
    else if (one.kind === 'replace')
      headers = [...headers.filter(([name]) => name !== one.header[0]), one.header];
  }
  const whole = Buffer.concat(pieces({ ...request, line, headers }, []));
  return harms.reduce<Buffer>((bytes, one) => {
    if (one.kind === 'short') return bytes.subarray(0, one.place % (bytes.length + 1));
    if (one.kind !== 'bytes') return bytes;
    const place = one.place % (bytes.length + 1);
    const after = bytes.subarray(place + one.bytes.length);
    return Buffer.concat([bytes.subarray(0, place), Buffer.from(one.bytes), after]);
  }, whole);
}

/** Whatever comes over a connection, it is answered in the envelope or closed; the next good request is answered. */
export const harmProperty = (world: World) =>
  fc.asyncProperty(
    good,
    fc.array(harm, { minLength: 1, maxLength: 3 }),
    cuts,
    async ([request], harms, at) => {
      const { url } = world.service;
      const bytes = harmed(request, harms);
      const parts = cut(bytes, at);
      const [method] = bytes.toString('latin1').split(' ', 1);
      const { answers, rest } = await converse(url, parts, true);
      const faults = answers.flatMap((answer) => answerFaults(answer, method));
      if (rest !== '' && !/transfer-encoding: chunked/i.test(rest))
        faults.push(`no answer: ${rest.slice(0, 200)}`);
      const health = await ask(url, { method: 'GET', path: '/health/live', headers: {} });
      if (health.status !== 200) faults.push(`after it /health/live is answered with ${health.status}`);
      report(faults, shown(parts, true));
    },
  );

/** The faults of an answer. The redirect to the dashboard and its page are not JSON. */
function answerFaults({ status, headers, body }: WireAnswer, method = 'GET'): string[] {
  if (status === 302 || headers.get('content-type')?.startsWith('text/html')) return [];
  if (body === '' && status < 400) return []; // of HEAD
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  const answer = { status, headers: Object.fromEntries(headers), text: body, json };
  return envelopeFaults({ method, path: '/', headers: {} }, answer);
}

/** A line for a shell that sends the same packets, or nearly. */
function shown(parts: readonly Buffer[], leaves: boolean): string {
  const printed = parts.map((part) => {
    const text = part.toString('latin1').slice(0, 3_000);
    const escaped = text.replaceAll(
      /[^\x20-\x7e]|['\\%]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    return `printf '${escaped}'; sleep 0.05`;
  });
  return `(${printed.join('; ')}) | nc${leaves ? ' -N' : ''} 127.0.0.1 PORT`;
}
