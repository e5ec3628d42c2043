import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { type Answer, sendBody } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { RawConnection } from '../support/raw-connection.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import { sign } from '../support/webhooks.js';

const service = useTestService();

const open = () => RawConnection.open(service().url);
const HOST = 'Host: localhost';
const KEY = `Authorization: Bearer ${SECRETS.demoApiKey}`;
const JSON_TYPE = 'Content-Type: application/json';
const valid = JSON.stringify(sendBody('+12025550100'));
const delivery = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: DEMO.wabaId, changes: [] }],
});
const signature = `X-Hub-Signature-256: ${sign(delivery, SECRETS.sandboxAppSecret)}`;
const TEMPLATES = `/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`;
const SEND = '/api/v1/messages/send';

const head = (line: string, ...headers: string[]) => `${[line, ...headers].join('\r\n')}\r\n\r\n`;
const sized = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Paths that Express answers, and others (src/http/http-adapter.ts): a request line, and the headers that belong to it. */
const WAYS: [string, string, string[]][] = [
  ['a send', `POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE]],
  ['a webhook', 'POST /webhooks/provider HTTP/1.1', [signature, JSON_TYPE]],
  ['the list of templates', `GET ${TEMPLATES} HTTP/1.1`, [KEY]],
  ['the list of messages', 'GET /api/v1/messages HTTP/1.1', [KEY]],
  ['the cancellation of a message', 'POST /api/v1/messages/1/cancel HTTP/1.1', [KEY]],
  ['the dashboard', 'GET /dashboard HTTP/1.1', []],
  ['nothing', 'GET /nothing HTTP/1.1', []],
];

/** The answer is in the envelope, with the request's id and the headers that every answer carries. */
function expectFault(answer: Answer | undefined, status: number, code: string): void {
  expect(answer).toBeError(status, code);
  expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': expect.any(String),
    'x-content-type-options': 'nosniff',
  });
}

async function expectLastFault(bytes: string | Buffer, status: number, code: string): Promise<void> {
  const answers = await (await open()).say(bytes).answersUntilClosed();
  expect(answers).toHaveLength(1);
  expectFault(answers[0], status, code);
}

describe.each(WAYS)('A request for %s', (_way, line, headers) => {
  it.each<[string, number, string, string]>([
    ['no Host', 400, 'VALIDATION_FAILED', head(line, ...headers)],
    ['two Hosts', 400, 'VALIDATION_FAILED', head(line, HOST, 'host: b', ...headers)],
    ['an unknown Expect', 417, 'UNKNOWN_EXPECT', head(line, HOST, ...headers, 'Expect: bogus')],
    [
      'headers that are too large',
      431,
      'HEADERS_TOO_LARGE',
      head(line, HOST, ...headers, `X: ${'x'.repeat(100_000)}`),
    ],
    ['a header with a NUL', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'X: \0')],
    ['a header on two lines', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'X: a\r\n b')],
    ['a blank before a colon', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'X : a')],
    ['lines that end in LF', 400, 'VALIDATION_FAILED', `${[line, HOST, ...headers].join('\n')}\n\n`],
    ['a length twice', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, sized('{}'), sized('{}'))],
    ['two lengths', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, sized('{}'), sized('{ }'))],
    ['a list of lengths', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'Content-Length: 2, 2')],
    ['a length with a sign', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'Content-Length: +2')],
    ['a negative length', 400, 'VALIDATION_FAILED', head(line, HOST, ...headers, 'Content-Length: -2')],
    [
      'a length and chunks',
      400,
      'VALIDATION_FAILED',
      head(line, HOST, ...headers, 'Transfer-Encoding: chunked', sized('{}')) + chunked('{}'),
    ],
    [
      'a blank before the colon of its chunks',
      400,
      'VALIDATION_FAILED',
      head(line, HOST, ...headers, 'Transfer-Encoding : chunked') + chunked('{}'),
    ],
    [
      'chunks and something behind them',
      400,
      'VALIDATION_FAILED',
      head(line, HOST, ...headers, 'Transfer-Encoding: chunked, identity') + chunked('{}'),
    ],
    [
      'chunks that are packed',
      400,
      'VALIDATION_FAILED',
      head(line, HOST, ...headers, 'Transfer-Encoding: gzip, chunked') + chunked('{}'),
    ],
    [
      'chunks by another name',
      400,
      'VALIDATION_FAILED',
      head(line, HOST, ...headers, 'Transfer-Encoding: xchunked') + chunked('{}'),
    ],
  ])('with %s is answered by %d %s', async (_case, status, code, bytes) => {
    await expectLastFault(bytes, status, code);
  });
});

describe('A HEAD request', () => {
  it.each([
    ['a path', head(`HEAD /${'x'.repeat(20_000)} HTTP/1.1`, HOST)],
    ['headers', head('HEAD /nothing HTTP/1.1', HOST, `X: ${'x'.repeat(100_000)}`)],
  ])('with too long %s is answered without a body', async (_case, bytes) => {
    const text = await (await open()).say(bytes).textUntilClosed();
    expect(text).toMatch(/^HTTP\/1\.1 431 [^]+\r\n\r\n$/);
  });
});

describe('A body', () => {
  const SENDS: [string, string][] = [
    ['a send', head(`POST ${SEND} HTTP/1.1`, HOST, KEY, JSON_TYPE, sized(valid)) + valid.slice(0, 20)],
    [
      'a send in chunks',
      head(`POST ${SEND} HTTP/1.1`, HOST, KEY, JSON_TYPE, 'Transfer-Encoding: chunked') + '10\r\nabc',
    ],
    [
      'a webhook',
      head('POST /webhooks/provider HTTP/1.1', HOST, signature, sized(delivery)) + delivery.slice(0, 20),
    ],
    [
      'a webhook in chunks',
      head('POST /webhooks/provider HTTP/1.1', HOST, signature, 'Transfer-Encoding: chunked') + '10\r\nabc',
    ],
  ];

  it.each(SENDS)('of %s that is cut off is answered by 400', async (_way, bytes) => {
    const answers = await (await open()).say(bytes).endHalf().answersUntilClosed();
    expect(answers).toHaveLength(1);
    expectFault(answers[0], 400, 'VALIDATION_FAILED');
  });

  it.each([
    ['a send', `POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE]],
    ['a webhook', 'POST /webhooks/provider HTTP/1.1', [signature]],
  ])('of %s in malformed chunks is answered by 400', async (_way, line, headers) => {
    const start = head(line, HOST, ...headers, 'Transfer-Encoding: chunked');
    await expectLastFault(`${start}zz\r\n{}\r\n`, 400, 'VALIDATION_FAILED');
    await expectLastFault(`${start}2\n{}\n0\n\n`, 400, 'VALIDATION_FAILED');
    await expectLastFault(`${start}2;${'x'.repeat(20_000)}\r\n{}\r\n`, 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('Input that is not HTTP', () => {
  it.each<[string, string | Buffer]>([
    ['no request line', 'hello\r\n\r\n'],
    ['an unknown method', head('SEND / HTTP/1.1', HOST)],
    ['a method in lower case', head(`get ${TEMPLATES} HTTP/1.1`, HOST, KEY)],
    ['a path with a blank', head('GET /a b HTTP/1.1', HOST)],
    ['a path with a NUL', head('GET /a\0b HTTP/1.1', HOST)],
    ['a path that begins with no slash', head('GET api HTTP/1.1', HOST)],
    ['HTTP/1.2', head('GET / HTTP/1.2', HOST)],
    ['HTTP/2', head('PRI * HTTP/2.0') + head('SM')],
    ['TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0])],
  ])('is answered in the envelope too: %s', async (_case, bytes) => {
    await expectLastFault(bytes, 400, 'VALIDATION_FAILED');
  });

  it('is answered after the valid request before it', async () => {
    const before = head(`POST ${SEND} HTTP/1.1`, HOST, KEY, JSON_TYPE, sized(valid)) + valid;
    const answers = await (await open()).say(`${before}nonsense\r\n\r\n`).answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([202, 400]);
    expectFault(answers[1], 400, 'VALIDATION_FAILED');
  });

  it('is not answered when it stands in the body of a request that was answered', async () => {
    const connection = await open();
    connection.say(head(`POST ${SEND} HTTP/1.1`, HOST, JSON_TYPE, 'Transfer-Encoding: chunked'));
    await connection.answers(1);
    const answers = await connection.say('nonsense\r\n').answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it('is answered after a request that had its answer before its body came', async () => {
    const connection = (await open()).say(head(`POST ${SEND} HTTP/1.1`, HOST, JSON_TYPE, sized(valid)));
    await connection.answers(1);
    const answers = await connection.say(`${valid}nonsense\r\n\r\n`).answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([401, 400]);
  });

  it('is answered once, however much of it comes', async () => {
    const connection = (await open()).say('hello\r\n\r\n');
    await connection.answers(1);
    connection.say('hello\r\n\r\n').say('hello\r\n\r\n').endHalf();
    expect(await connection.answersUntilClosed()).toHaveLength(1);
  });
});

describe('CONNECT', () => {
  const connect = head('CONNECT example.com:443 HTTP/1.1', HOST, 'X-Request-Id: mine');

  it('is answered by 405, under its own request id', async () => {
    const [answer] = await (await open()).say(connect).answersUntilClosed();
    expectFault(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer?.headers.get('X-Request-Id')).toBe('mine');
  });

  it('is answered after the request before it', async () => {
    const list = head(`GET ${TEMPLATES} HTTP/1.1`, HOST, KEY);
    const answers = await (await open()).say(list + connect).answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([200, 405]);
  });
});

describe('The target of a request', () => {
  const ask = async (line: string, ...headers: string[]) => {
    const connection = (await open()).say(head(line, HOST, KEY, ...headers));
    const [answer] = await connection.answers(1);
    connection.leave();
    return answer as Answer;
  };

  it.each(['http://localhost', 'https://example.com:8443', 'HTTP://LOCALHOST'])(
    'may name the server: %s',
    async (server) => {
      expect((await ask(`GET ${server}${TEMPLATES} HTTP/1.1`)).status).toBe(200);
      expect((await ask(`GET ${server}/api/v1/messages HTTP/1.1`)).status).toBe(200);
      expect((await ask(`GET ${server}/health/live HTTP/1.1`)).status).toBe(200);
      expect(await ask(`GET ${server}?x HTTP/1.1`)).toMatchObject({ status: 302 });
    },
  );

  it.each(['OPTIONS', 'GET'])('may not be an asterisk: %s *', async (method) => {
    expect(await ask(`${method} * HTTP/1.1`)).toBeError(404, 'NOT_FOUND');
  });

  it.each([
    '/api/v1/messages/%zz',
    '/api/v1/messages/%zz/cancel',
    '/api/v1/templates/%zz',
    '/dashboard/assets/%zz',
    '/dashboard/api/%zz',
    '/docs/%zz',
    '/webhooks/%zz',
    '/%zz',
    '/%',
    '/%c0%af',
  ])('that cannot be decoded is refused: %s', async (path) => {
    for (const method of ['GET', 'POST']) expect(await ask(`${method} ${path} HTTP/1.1`)).toBeRefusal();
  });

  it('may come with an Upgrade to another protocol, and is answered in HTTP/1.1', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect((await ask(`GET ${TEMPLATES} HTTP/1.1`, ...upgrade)).status).toBe(200);
    expect((await ask('GET /api/v1/messages HTTP/1.1', ...upgrade)).status).toBe(200);
  });
});

describe('HTTP/1.0', () => {
  it.each([
    ['a send', `POST ${SEND} HTTP/1.0`, [KEY, JSON_TYPE], valid, 202],
    ['a webhook', 'POST /webhooks/provider HTTP/1.0', [signature], delivery, 200],
    ['the list of templates', `GET ${TEMPLATES} HTTP/1.0`, [KEY], '', 200],
    ['the list of messages', 'GET /api/v1/messages HTTP/1.0', [KEY], '', 200],
  ])('is answered without a Host, and ends its connection: %s', async (_way, line, headers, body, status) => {
    const bytes = head(line, ...headers, ...(body ? [sized(body)] : [])) + body;
    const answers = await (await open()).say(bytes).answersUntilClosed();
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });
});

describe('Pipelined requests', () => {
  it('are answered in their order, to the API, the webhooks and others', async () => {
    const post = (line: string, headers: string[], body: string) =>
      head(line, HOST, ...headers, sized(body)) + body;
    const connection = (await open()).say(
      [
        post(`POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE], valid),
        head('GET /api/v1/messages HTTP/1.1', HOST, KEY),
        head(`GET ${TEMPLATES} HTTP/1.1`, HOST, KEY),
        head('GET /nothing HTTP/1.1', HOST),
        post('POST /webhooks/provider HTTP/1.1', [signature], delivery),
        post(`POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE], '{'),
      ].join(''),
    );
    const answers = await connection.answers(6);
    connection.leave();
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 404, 200, 400]);
  });
});

describe('A caller who closes their half of the connection after the request', () => {
  it.each([
    ['a send', `POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE], valid, 202],
    ['a webhook', 'POST /webhooks/provider HTTP/1.1', [signature], delivery, 200],
    ['the list of templates', `GET ${TEMPLATES} HTTP/1.1`, [KEY], '', 200],
    ['the list of messages', 'GET /api/v1/messages HTTP/1.1', [KEY], '', 200],
    ['the dashboard', 'GET /dashboard/api/session HTTP/1.1', [], '', 200],
  ])('gets the answer: %s', async (_way, line, headers, body, status) => {
    const plain = head(line, HOST, ...headers, ...(body ? [sized(body)] : [])) + body;
    const unusual = head(line, HOST, ...headers, 'Transfer-Encoding: chunked') + chunked(body || '{}');
    for (const bytes of body ? [plain, unusual] : [plain]) {
      const answers = await (await open()).say(bytes).endHalf().answersUntilClosed();
      expect(answers.map((answer) => answer.status)).toEqual([status]);
    }
  });

  it('gets the answers to all requests', async () => {
    const list =
      head(`GET ${TEMPLATES} HTTP/1.1`, HOST, KEY) + head('GET /api/v1/messages HTTP/1.1', HOST, KEY);
    const answers = await (await open()).say(list.repeat(3)).endHalf().answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });
});

describe('A caller who waits for "100 Continue" before sending the body', () => {
  const EXPECT = 'Expect: 100-continue';
  const WITH_BODY: [string, string, string[], string, number][] = [
    ['a send', `POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE, sized(valid)], valid, 202],
    [
      'a send in chunks',
      `POST ${SEND} HTTP/1.1`,
      [KEY, JSON_TYPE, 'Transfer-Encoding: chunked'],
      chunked(valid),
      202,
    ],
    ['a webhook', 'POST /webhooks/provider HTTP/1.1', [signature, sized(delivery)], delivery, 200],
    [
      'a webhook in chunks',
      'POST /webhooks/provider HTTP/1.1',
      [signature, 'Transfer-Encoding: chunked'],
      chunked(delivery),
      200,
    ],
  ];

  it.each(WITH_BODY)('is told to go on, for %s', async (_way, line, headers, body, status) => {
    const connection = (await open()).say(head(line, HOST, ...headers, EXPECT));
    await eventually(() => expect(connection.text).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
    const [answer] = await connection.say(body).answers(1);
    connection.leave();
    expect(answer?.status).toBe(status);
  });

  const large = 'Content-Length: 4000000';
  it.each([
    ['a send', `POST ${SEND} HTTP/1.1`, [KEY, JSON_TYPE]],
    ['a webhook', 'POST /webhooks/provider HTTP/1.1', [signature]],
    ['a session', 'POST /dashboard/api/session HTTP/1.1', [JSON_TYPE]],
  ])('is told at once that the body is too large, for %s', async (_way, line, headers) => {
    const connection = (await open()).say(head(line, HOST, ...headers, large, EXPECT));
    const [answer] = await connection.answersUntilClosed();
    expect(answer).toBeError(413, 'PAYLOAD_TOO_LARGE');
    expect(connection.text).not.toContain('100 Continue');
  });

  it.each([
    ['a send', [JSON_TYPE, sized(valid)]],
    ['a send in chunks', [JSON_TYPE, 'Transfer-Encoding: chunked']],
  ])('is told at once that the key is wrong, for %s', async (_way, headers) => {
    const bytes = head(`POST ${SEND} HTTP/1.1`, HOST, 'Authorization: Bearer tms_x', ...headers, EXPECT);
    const connection = (await open()).say(bytes);
    const [answer] = await connection.answersUntilClosed();
    expect(answer).toBeError(401, 'UNAUTHORIZED');
    expect(connection.text).not.toContain('100 Continue');
  });
});

describe('A body that trickles', () => {
  const hasty = useTestService({ BODY_TIMEOUT: 1 });

  /** Sends one byte after the other until the connection is closed. */
  async function trickle(bytes: string): Promise<Answer[]> {
    const connection = (await RawConnection.open(hasty().url)).say(bytes);
    const timer = setInterval(() => connection.say(' '), 50);
    try {
      return await connection.answersUntilClosed();
    } finally {
      clearInterval(timer);
    }
  }

  it.each([
    ['a send', head(`POST ${SEND} HTTP/1.1`, HOST, KEY, JSON_TYPE, 'Content-Length: 200000')],
    [
      'another request',
      head('POST /api/v1/messages/1/cancel HTTP/1.1', HOST, KEY, JSON_TYPE, 'Content-Length: 200000'),
    ],
    ['a webhook', head('POST /webhooks/provider HTTP/1.1', HOST, signature, 'Content-Length: 200000')],
  ])('is ended with its connection, for %s', async (_way, bytes) => {
    const answers = await trickle(bytes);
    expect(answers).toHaveLength(1);
    expectFault(answers[0], 408, 'REQUEST_TIMEOUT');
  });

  it('is ended when the answer was given without it', async () => {
    const answers = await trickle(head(`POST ${SEND} HTTP/1.1`, HOST, JSON_TYPE, 'Content-Length: 200000'));
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });

  it('is ended in an upload too, after a longer time', async () => {
    const editor = await dashboardApi(hasty(), 'editor');
    const headers = Object.entries(editor.headers).map(([name, value]) => `${name}: ${value}`);
    const path = `/dashboard/api/uploads/media?messaging_account_id=${DEMO.numbers[0].apiId}&file_name=a.png`;
    const answers = await trickle(
      head(`POST ${path} HTTP/1.1`, HOST, ...headers, 'Content-Type: image/png', 'Content-Length: 4000000'),
    );
    expect(answers).toHaveLength(1);
    expect(answers[0]).toBeError(408, 'REQUEST_TIMEOUT');
  });
});
