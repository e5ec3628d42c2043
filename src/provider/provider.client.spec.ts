import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  answering,
  clientFor,
  closeAll,
  CREDENTIALS,
  failure,
  json,
  provider,
  REQUEST,
  send,
  SENT,
  TOKEN,
} from '../../test/support/provider-stubs.js';

afterEach(closeAll);

const FILE = { fileName: 'a b&c.png', fileType: 'image/png', bytes: Buffer.from([0, 1, 2, 253, 254, 255]) };

describe('sending', () => {
  it('passes on the request as it is, and returns the ids of the answer', async () => {
    const { client, received } = await answering(200, SENT);
    await expect(send(client)).resolves.toEqual({
      messageId: 'wamid.1',
      waId: '15551234567',
      messageStatus: 'accepted',
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v25.0/106540352242922/messages',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(received[0]!.body.toString())).toEqual(REQUEST);
  });

  it.each([
    { status: 'held_for_quality_assessment', expected: 'held_for_quality_assessment' },
    { status: 'paused', expected: 'paused' },
    { status: undefined, expected: 'accepted' },
    { status: 'something_new', expected: 'accepted' },
  ])('reads the message status $status as $expected', async ({ status, expected }) => {
    const { client } = await answering(200, { messages: [{ id: 'wamid.2', message_status: status }] });
    await expect(send(client)).resolves.toMatchObject({ messageStatus: expected });
  });

  it('encodes ids, and keeps the path of the base URL and the version', async () => {
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
    // Up to two, as undici does not use a connection again in the turn of the event loop in which its answer came.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('sends many at a time', async () => {
    const open: ServerResponse[] = [];
    const { url } = await provider((_, response) => {
      // No request is answered before the last has arrived.
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
    expect(few).toBeGreaterThan(10); // some are for calls about templates
    expect(await connections(50)).toBe(few + 40);
  });

  it('opens a new connection when the provider has closed the idle one', async () => {
    const { url } = await provider((_, response) => {
      json(response, 200, SENT).on('finish', () => setTimeout(() => response.socket?.destroy(), 20));
    });
    const client = clientFor(url);
    await send(client);
    await delay(100);
    await expect(send(client)).resolves.toMatchObject({ messageId: 'wamid.1' });
  });
});

describe('credentials', () => {
  it('that no header can carry are an auth error, which does not show them', async () => {
    const { client, received } = await answering(200, SENT);
    const broken = { accessToken: `${TOKEN}\r\nx-evil: 1` };
    const error = await failure(client.send(broken, '1', REQUEST));
    expect(error.errorClass).toBe('auth');
    expect(received).toHaveLength(0);
  });
});

describe('stopping', () => {
  it('lets a call under way end, and may happen twice', async () => {
    const { url, received } = await provider((_, response) =>
      setTimeout(() => json(response, 200, SENT), 100),
    );
    const client = clientFor(url);
    const sent = send(client);
    while (received.length === 0) await delay(5);
    await Promise.all([client.onApplicationShutdown(), client.onApplicationShutdown()]);
    await expect(sent).resolves.toMatchObject({ messageId: 'wamid.1' });
  });
});

describe('uploading', () => {
  it('sends a header sample in two steps, with the session id unchanged', async () => {
    const { url, received } = await provider((request, response) =>
      json(
        response,
        200,
        request.url.includes('/uploads?') ? { id: 'upload:MTph=?sig=ARZ_-q' } : { h: '4::aW' },
      ),
    );
    await expect(clientFor(url).uploadHeaderSample(CREDENTIALS, '55', FILE)).resolves.toBe('4::aW');
    const start = new URL(received[0]!.url, 'http://x');
    expect(start.pathname).toBe('/v25.0/55/uploads');
    expect(Object.fromEntries(start.searchParams)).toEqual({
      file_name: 'a b&c.png',
      file_length: '6',
      file_type: 'image/png',
    });
    expect(received[1]).toMatchObject({
      method: 'POST',
      url: '/v25.0/upload:MTph=?sig=ARZ_-q',
      headers: { file_offset: '0', authorization: `Bearer ${TOKEN}` },
    });
    expect(received[1]!.body).toEqual(FILE.bytes);
  });

  it('passes on a header sample while it still arrives', async () => {
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

  it('does not follow a session id that is a path to another place', async () => {
    const { client, received } = await answering(200, { id: '../../evil' });
    await failure(client.uploadHeaderSample(CREDENTIALS, '55', FILE));
    expect(received).toHaveLength(1);
  });

  it('uploads media for a message as a form', async () => {
    const { client, received } = await answering(200, { id: '9876543210123456' });
    await expect(client.uploadMedia(CREDENTIALS, '106', FILE)).resolves.toBe('9876543210123456');
    const { url, headers, body } = received[0]!;
    expect(url).toBe('/v25.0/106/media');
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
    expect(received[0]!.url).toContain('/v25.0/106?fields=id%2Cdisplay_phone_number');
  });

  it('asks for its limit by the name that the API version knows, and only when the caller wants it', async () => {
    const { url, received } = await provider((_, response) => json(response, 200, { id: '106' }));
    for (const PROVIDER_API_VERSION of ['v23.0', 'v24.0', 'v25.0']) {
      const client = clientFor(url, { PROVIDER_API_VERSION });
      await client.getPhoneNumber(CREDENTIALS, '106', { withLimit: true });
      await client.getPhoneNumber(CREDENTIALS, '106');
    }
    const limits = received.map((call) => /fields=.*%2C(\w+limit\w*)$/.exec(call.url)?.[1]);
    const since = 'whatsapp_business_manager_messaging_limit';
    expect(limits).toEqual(['messaging_limit_tier', undefined, since, undefined, since, undefined]);
  });
});

describe('asking who owns a business account', () => {
  it.each([
    [{ id: '1', owner_business_info: { id: '2729063490586005', name: 'Shop' } }, '2729063490586005'],
    [{ id: '1' }, null],
    [{ id: '1', owner_business_info: { id: 'x\u0000' } }, null],
  ])('reads %j as %p', async (answer, portfolio) => {
    const { client, received } = await answering(200, answer);
    expect(await client.getPortfolioId(CREDENTIALS, '1')).toBe(portfolio);
    expect(received[0]!.url).toContain('/1?fields=owner_business_info');
  });
});
