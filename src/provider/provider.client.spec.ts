import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '../config/config.js';
import { ProviderClient } from './provider.client.js';
import { ProviderError } from './provider-error.js';
import type { WireSendRequest, WireTemplateDraft } from './wire.js';

const TOKEN = 'EAAGm0PX4ZCpsBAsecret';
const CREDENTIALS = { accessToken: TOKEN };
const REQUEST: WireSendRequest = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '15551234567',
  type: 'template',
  template: { name: 'order_update', language: { code: 'en_US' }, components: [] },
  biz_opaque_callback_data: '42',
};
const SENT = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '15551234567', wa_id: '15551234567' }],
  messages: [{ id: 'wamid.1', message_status: 'accepted' }],
};
const FILE = { fileName: 'a b&c.png', fileType: 'image/png', bytes: Buffer.from([0, 1, 2, 253, 254, 255]) };

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}
type Handler = (received: Received, response: ServerResponse) => void;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A provider that answers by `handler`; `received` fills with what it was asked. */
async function provider(handler: Handler): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks) });
      handler(received.at(-1)!, response);
    });
  });
  const url = await listen(server);
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, received };
}

/** A provider below HTTP: `onData` gets the connection once the first bytes of a request are there. */
async function rawProvider(
  onData: (socket: Socket) => void,
  onConnect?: (socket: Socket) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnect?.(socket);
    socket.once('data', () => onData(socket));
  });
  const url = await listen(server);
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return url;
}

function clientFor(url: string, settings: Partial<Config> = {}): ProviderClient {
  const config = Object.assign(new Config(), { PROVIDER_BASE_URL: url, PROVIDER_TIMEOUT: 3_000 }, settings);
  const client = new ProviderClient(config);
  cleanups.push(() => client.onModuleDestroy());
  return client;
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A client of a provider that gives one answer to everything. */
async function answering(status: number, body: unknown, headers = {}) {
  const { url, received } = await provider((_, response) => json(response, status, body, headers));
  return { client: clientFor(url), received };
}

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  expect(JSON.stringify(error) + String(error) + (error as Error).stack).not.toContain(TOKEN);
  return error as ProviderError;
}

const send = (client: ProviderClient, signal?: AbortSignal) =>
  client.send(CREDENTIALS, '106540352242922', REQUEST, signal);

describe('sending', () => {
  it('passes the request as it is and returns what the provider calls it', async () => {
    const { client, received } = await answering(200, SENT);
    await expect(send(client)).resolves.toEqual({
      messageId: 'wamid.1',
      waId: '15551234567',
      messageStatus: 'accepted',
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v23.0/106540352242922/messages',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(received[0]!.body.toString())).toEqual(REQUEST);
  });

  it.each([
    { status: 'held_for_quality_assessment', expected: 'held_for_quality_assessment' },
    { status: 'paused', expected: 'paused' },
    { status: undefined, expected: 'accepted' },
    { status: 'something_new', expected: 'accepted' },
  ])('takes the message status $status as $expected', async ({ status, expected }) => {
    const { client } = await answering(200, { messages: [{ id: 'wamid.2', message_status: status }] });
    await expect(send(client)).resolves.toMatchObject({ messageStatus: expected });
  });

  it('encodes ids, and keeps a path in the base URL and the version', async () => {
    const { url, received } = await provider((_, response) => json(response, 200, SENT));
    const client = clientFor(`${url}/sandbox/`, { PROVIDER_API_VERSION: 'v24.0' });
    await client.send(CREDENTIALS, '1/../2?x#y', REQUEST);
    expect(received[0]!.url).toBe('/sandbox/v24.0/1%2F..%2F2%3Fx%23y/messages');
  });

  it('keeps its connections', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await provider((_, response) => {
      ports.add(response.socket?.remotePort);
      json(response, 200, SENT);
    });
    const client = clientFor(url);
    for (let i = 0; i < 10; i++) await send(client);
    // Two, as undici leaves a connection alone for one turn of the event loop after an answer.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('sends many at a time', async () => {
    const open: ServerResponse[] = [];
    const { url } = await provider((_, response) => {
      // The first is answered when the last is there.
      if (open.push(response) === 200) for (const each of open) json(each, 200, SENT);
    });
    const client = clientFor(url);
    const sent = await Promise.all(Array.from({ length: 200 }, () => send(client)));
    expect(sent).toHaveLength(200);
  });

  it('has a connection for each message that may be in flight', async () => {
    const connections = async (inFlight: number) => {
      const ports = new Set<number | undefined>();
      const { url } = await provider((_, response) => {
        ports.add(response.socket?.remotePort);
        json(response, 200, SENT);
      });
      const client = clientFor(url, { DELIVERY_IN_FLIGHT: inFlight });
      await Promise.all(Array.from({ length: 200 }, () => send(client)));
      return ports.size;
    };
    const few = await connections(10);
    expect(few).toBeGreaterThan(10); // some are for templates
    expect(await connections(50)).toBe(few + 40);
  });

  it('gets over a connection that the provider closed meanwhile', async () => {
    const { url } = await provider((_, response) => {
      json(response, 200, SENT).on('finish', () => setTimeout(() => response.socket?.destroy(), 20));
    });
    const client = clientFor(url);
    await send(client);
    await delay(100);
    await expect(send(client)).resolves.toMatchObject({ messageId: 'wamid.1' });
  });
});

describe('an error answer', () => {
  it('is decided by its code, and carries Retry-After', async () => {
    const body = { error: { message: '(#130429) Rate limit hit', type: 'OAuthException', code: 130429 } };
    const { client } = await answering(400, body, { 'retry-after': '2' });
    await expect(failure(send(client))).resolves.toMatchObject({
      errorClass: 'number_rate',
      code: 130429,
      httpStatus: 400,
      retryAfter: 2_000,
    });
  });

  it('is one with HTTP 200 too', async () => {
    const { client } = await answering(200, { error: { message: 'x', code: 131049 } });
    await expect(failure(send(client))).resolves.toMatchObject({ errorClass: 'marketing_cap' });
  });

  it('does not give away the token that the provider repeats in it', async () => {
    const message = `Malformed access token ${TOKEN}`;
    const { client } = await answering(401, { error: { message, code: 190, error_user_msg: message } });
    const error = await failure(send(client));
    expect(error).toMatchObject({ errorClass: 'auth', details: 'Malformed access token [access token]' });
  });

  it('of garbage HTML with a 502 is transient', async () => {
    const { url } = await provider((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>Bad Gateway</h1>'),
    );
    await expect(failure(send(clientFor(url)))).resolves.toMatchObject({
      errorClass: 'transient',
      code: null,
      httpStatus: 502,
    });
  });

  it('of a redirect is not followed', async () => {
    const other = await provider((_, response) => json(response, 200, SENT));
    const { url } = await provider((_, response) => response.writeHead(307, { location: other.url }).end());
    await expect(failure(send(clientFor(url)))).resolves.toMatchObject({
      errorClass: 'recipient',
      known: false,
    });
    expect(other.received).toHaveLength(0);
  });
});

describe('nothing was sent, so the class is transient', () => {
  it('when the connection is refused', async () => {
    const url = await rawProvider(() => undefined);
    await cleanups.pop()!();
    await expect(failure(send(clientFor(url)))).resolves.toMatchObject({
      errorClass: 'transient',
      code: null,
      httpStatus: null,
      details: 'ECONNREFUSED',
    });
  });

  it('when the host has no address', async () => {
    const error = await failure(send(clientFor('http://no-such-host.invalid')));
    expect(error).toMatchObject({ errorClass: 'transient', title: 'The provider could not be called' });
  });

  it('when there is no TLS on the other side', async () => {
    const url = await rawProvider((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const error = await failure(send(clientFor(url.replace('http:', 'https:'))));
    expect(error).toMatchObject({ errorClass: 'transient', title: 'The provider could not be called' });
  });

  it('when the TLS connection is reset before it is made', async () => {
    const url = await rawProvider((socket) => socket.resetAndDestroy());
    const error = await failure(send(clientFor(url.replace('http:', 'https:'))));
    expect(error).toMatchObject({ errorClass: 'transient', details: 'ECONNRESET' });
  });

  it('when it was given up before', async () => {
    const { client, received } = await answering(200, SENT);
    await expect(failure(send(client, AbortSignal.abort()))).resolves.toMatchObject({
      errorClass: 'transient',
    });
    expect(received).toHaveLength(0);
  });

  it('when the client is closed', async () => {
    const { client, received } = await answering(200, SENT);
    await client.onModuleDestroy();
    await expect(failure(send(client))).resolves.toMatchObject({ errorClass: 'transient' });
    expect(received).toHaveLength(0);
  });
});

describe('it may have been sent, so the class is unknown', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const cases: Record<string, (socket: Socket) => void> = {
    'no answer comes in time': () => undefined,
    'the connection is reset': (socket) => socket.resetAndDestroy(),
    'the connection is closed': (socket) => socket.end(),
    'the head is cut off': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
    'the body is cut off': (socket) =>
      socket.end(`${head}content-length: 500\r\n\r\n{"messages":[{"id":"wamid.1"`),
    'the body is reset': (socket) => {
      socket.write(`${head}content-length: 500\r\n\r\n{"messages"`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
    'a chunked body is cut off': (socket) =>
      socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"mes`),
    'a body without a length is cut off': (socket) =>
      socket.end(`${head}connection: close\r\n\r\n{"messages":[`),
    'the body stalls': (socket) => void socket.write(`${head}content-length: 500\r\n\r\n{"messages":`),
    'the body comes a byte at a time': (socket) => {
      socket.write(`${head}content-length: 500\r\n\r\n{`);
      const timer = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => clearInterval(timer));
    },
    'the body never ends': (socket) => {
      socket.write(`${head}connection: close\r\n\r\n`);
      const chunk = Buffer.alloc(1 << 20, ' ');
      const more = () => socket.write(chunk, () => !socket.destroyed && more());
      more();
    },
    'the answer is not HTTP': (socket) => socket.end('garbage\r\n\r\n'),
    'the answer is HTML': (socket) => socket.end(`${head}content-length: 6\r\n\r\n<html>`),
    'the answer is empty': (socket) => socket.end(`${head}content-length: 0\r\n\r\n`),
    'the answer is null': (socket) => socket.end(`${head}content-length: 4\r\n\r\nnull`),
    'the answer has no message id': (socket) =>
      socket.end(`${head}content-length: 15\r\n\r\n{"messages":[]}`),
    'the error answer is cut off': (socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 99\r\n\r\n{"error"'),
  };

  it.each(Object.keys(cases))('when %s', async (name) => {
    const url = await rawProvider(cases[name]!);
    const started = Date.now();
    const error = await failure(send(clientFor(url, { PROVIDER_TIMEOUT: 300 })));
    expect(error).toMatchObject({ errorClass: 'unknown', code: null });
    expect(error.details).toMatch(/^[\w]+$/);
    expect(Date.now() - started).toBeLessThan(2_500);
  });

  it('when the connection is closed before the request is read', async () => {
    const url = await rawProvider(
      () => undefined,
      (socket) => socket.destroy(),
    );
    await expect(failure(send(clientFor(url)))).resolves.toMatchObject({ errorClass: 'unknown' });
  });

  it('when the caller gives up meanwhile', async () => {
    const controller = new AbortController();
    const { url } = await provider(() => controller.abort());
    const error = await failure(send(clientFor(url), controller.signal));
    expect(error).toMatchObject({ errorClass: 'unknown', details: 'ABORTED' });
  });

  it('when the service stops and the grace is over', async () => {
    const { url, received } = await provider(() => undefined);
    const client = clientFor(url, { SHUTDOWN_GRACE: 0 });
    const failed = failure(send(client));
    while (received.length === 0) await delay(5);
    await client.onModuleDestroy();
    await expect(failed).resolves.toMatchObject({ errorClass: 'unknown' });
  });
});

describe('credentials', () => {
  it('that no header can carry are an auth error, without being shown', async () => {
    const { client, received } = await answering(200, SENT);
    const broken = { accessToken: `${TOKEN}\r\nx-evil: 1` };
    const error = await failure(client.send(broken, '1', REQUEST));
    expect(error.errorClass).toBe('auth');
    expect(received).toHaveLength(0);
  });
});

describe('stopping', () => {
  it('lets a call under way end, and can be done twice', async () => {
    const { url, received } = await provider((_, response) =>
      setTimeout(() => json(response, 200, SENT), 100),
    );
    const client = clientFor(url);
    const sent = send(client);
    while (received.length === 0) await delay(5);
    await Promise.all([client.onModuleDestroy(), client.onModuleDestroy()]);
    await expect(sent).resolves.toMatchObject({ messageId: 'wamid.1' });
  });
});

const template = (id: number | string) => `{"id":${id},"name":"t","components":[]}`;
const list = (client: ProviderClient) => client.listTemplates(CREDENTIALS, '102290129340398');

describe('listing templates', () => {
  it('follows every page by its cursor, on the host it knows', async () => {
    const stranger = await provider((_, response) => json(response, 200, { data: [] }));
    const { url, received } = await provider((request, response) => {
      const after = new URL(request.url, 'http://x').searchParams.get('after');
      const page = after === null ? 1 : Number(after.slice(-1)) + 1;
      const next = page < 3 ? `,"next":"${stranger.url}/steal?access_token=${TOKEN}"` : '';
      // The last page has a cursor too, but no `next`.
      const paging = `{"cursors":{"before":"b","after":"c&=${page}"}${next}}`;
      response.end(`{"data":[${template(page)},${template(`"${page}0"`)}],"paging":${paging}}`);
    });
    const templates = await list(clientFor(url));
    expect(templates.map(({ id }) => id)).toEqual(['1', '10', '2', '20', '3', '30']);
    expect(stranger.received).toHaveLength(0);
    const first = new URL(received[0]!.url, 'http://x');
    expect(first.pathname).toBe('/v23.0/102290129340398/message_templates');
    expect(Number(first.searchParams.get('limit'))).toBeGreaterThanOrEqual(100);
    expect(first.searchParams.get('fields')!.split(',')).toEqual(
      expect.arrayContaining(['id', 'name', 'language', 'status', 'category', 'components', 'quality_score']),
    );
    expect(received.map((request) => request.headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${TOKEN}`),
    );
  });

  it('keeps the 17 digits of an id, as a number or a text', async () => {
    const data = `[${template('12345678901234567')},${template('"12345678901234569"')},${template('123456789012345')}]`;
    const { url } = await provider((_, response) => response.end(`{"data":${data}}`));
    const templates = await list(clientFor(url));
    expect(templates.map(({ id }) => id)).toEqual([
      '12345678901234567',
      '12345678901234569',
      '123456789012345',
    ]);
  });

  it.each([
    { name: 'repeats a cursor', paging: { cursors: { after: 'same' }, next: 'http://x/' } },
    { name: 'has a next page but no cursor', paging: { next: 'http://x/' } },
  ])('throws when a page $name, rather than return a part', async ({ paging }) => {
    const { client, received } = await answering(200, { data: [], paging });
    await expect(failure(list(client))).resolves.toMatchObject({ errorClass: 'transient' });
    expect(received.length).toBeLessThanOrEqual(2);
  });

  it('ends with a provider whose pages never do', async () => {
    let page = 0;
    const { url } = await provider((_, response) =>
      json(response, 200, { data: [], paging: { cursors: { after: `c${page++}` }, next: 'http://x/' } }),
    );
    const error = await failure(list(clientFor(url)));
    expect(error.details).toBe('TEMPLATE_LIST_WITHOUT_END');
    expect(page).toBe(500);
  });

  it.each([{}, { data: null }, { data: {} }])('throws for %j', async (body) => {
    const { client } = await answering(200, body);
    await expect(failure(list(client))).resolves.toMatchObject({ errorClass: 'transient' });
  });

  it('is transient when no answer comes: reading again harms nobody', async () => {
    const url = await rawProvider((socket) => socket.resetAndDestroy());
    await expect(failure(list(clientFor(url)))).resolves.toMatchObject({ errorClass: 'transient' });
  });
});

describe('changing templates', () => {
  const draft: WireTemplateDraft = {
    name: 'n',
    category: 'UTILITY',
    language: 'en_US',
    components: [{ type: 'BODY', text: 'Hi', added_by_provider: 1 }],
  };

  it('creates one', async () => {
    const { url, received } = await provider((_, response) =>
      response.end('{"id":12345678901234567,"status":"PENDING","category":"UTILITY"}'),
    );
    await expect(clientFor(url).createTemplate(CREDENTIALS, '1', draft)).resolves.toEqual({
      id: '12345678901234567',
      status: 'PENDING',
      category: 'UTILITY',
    });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v23.0/1/message_templates' });
    expect(JSON.parse(received[0]!.body.toString())).toEqual(draft);
  });

  it('shows what the provider says to the person at the editor', async () => {
    const { client } = await answering(400, {
      error: {
        message: 'Invalid parameter',
        code: 100,
        error_subcode: 2388293,
        error_user_title: 'Too many variables',
        error_user_msg: 'Reduce the number of variables.',
      },
    });
    await expect(failure(client.createTemplate(CREDENTIALS, '1', draft))).resolves.toMatchObject({
      subcode: 2388293,
      userTitle: 'Too many variables',
      userMessage: 'Reduce the number of variables.',
    });
  });

  it('edits one', async () => {
    const { client, received } = await answering(200, { success: true });
    await client.editTemplate(CREDENTIALS, '777', { components: draft.components });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v23.0/777' });
    expect(JSON.parse(received[0]!.body.toString())).toEqual({ components: draft.components });
  });

  it.each([
    { which: { name: 'a b' }, query: '?name=a+b' },
    { which: { name: 'n', templateId: '777' }, query: '?hsm_id=777&name=n' },
  ])('deletes $which', async ({ which, query }) => {
    const { client, received } = await answering(200, { success: true });
    await client.deleteTemplate(CREDENTIALS, '1', which);
    expect(received[0]).toMatchObject({ method: 'DELETE', url: `/v23.0/1/message_templates${query}` });
  });

  it('does not take success: false for success', async () => {
    const { client } = await answering(200, { success: false });
    await expect(failure(client.deleteTemplate(CREDENTIALS, '1', { name: 'n' }))).resolves.toMatchObject({
      details: 'NOT_CONFIRMED',
    });
  });
});

describe('uploading', () => {
  it('brings a header sample in two steps, its session id as it stands', async () => {
    const { url, received } = await provider((request, response) =>
      json(
        response,
        200,
        request.url.includes('/uploads?') ? { id: 'upload:MTph=?sig=ARZ_-q' } : { h: '4::aW' },
      ),
    );
    await expect(clientFor(url).uploadHeaderSample(CREDENTIALS, '55', FILE)).resolves.toBe('4::aW');
    const start = new URL(received[0]!.url, 'http://x');
    expect(start.pathname).toBe('/v23.0/55/uploads');
    expect(Object.fromEntries(start.searchParams)).toEqual({
      file_name: 'a b&c.png',
      file_length: '6',
      file_type: 'image/png',
    });
    expect(received[1]).toMatchObject({
      method: 'POST',
      url: '/v23.0/upload:MTph=?sig=ARZ_-q',
      headers: { file_offset: '0', authorization: `Bearer ${TOKEN}` },
    });
    expect(received[1]!.body).toEqual(FILE.bytes);
  });

  it('passes a header sample on as it arrives', async () => {
    const { url, received } = await provider((request, response) =>
      json(response, 200, request.url.includes('/uploads?') ? { id: 'upload:1' } : { h: '4::aW' }),
    );
    const { fileName, fileType, bytes } = FILE;
    const stream = Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]);
    const file = { fileName, fileType, length: bytes.byteLength, stream };
    await expect(clientFor(url).uploadHeaderSample(CREDENTIALS, '55', file)).resolves.toBe('4::aW');
    expect(received[0]!.url).toContain('file_length=6');
    expect(received[1]).toMatchObject({ headers: { 'content-length': '6' }, body: bytes });
  });

  it('takes no session id that is a path to elsewhere', async () => {
    const { client, received } = await answering(200, { id: '../../evil' });
    await failure(client.uploadHeaderSample(CREDENTIALS, '55', FILE));
    expect(received).toHaveLength(1);
  });

  it('brings media to send as a form', async () => {
    const { client, received } = await answering(200, { id: '9876543210123456' });
    await expect(client.uploadMedia(CREDENTIALS, '106', FILE)).resolves.toBe('9876543210123456');
    const { url, headers, body } = received[0]!;
    expect(url).toBe('/v23.0/106/media');
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
    expect(form.get('messaging_product')).toBe('whatsapp');
    expect(form.get('type')).toBe('image/png');
    const file = form.get('file') as File;
    expect({ name: file.name, type: file.type }).toEqual({ name: 'a b&c.png', type: 'image/png' });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(FILE.bytes);
  });
});

describe('reading a number', () => {
  it('asks for its quality and throughput', async () => {
    const { client, received } = await answering(200, { id: 106, quality_rating: 'GREEN' });
    await expect(client.getPhoneNumber(CREDENTIALS, '106')).resolves.toEqual({
      id: '106',
      quality_rating: 'GREEN',
    });
    expect(received[0]!.method).toBe('GET');
    expect(received[0]!.url).toContain('/v23.0/106?fields=id%2Cdisplay_phone_number');
  });
});
