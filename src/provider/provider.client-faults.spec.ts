import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AnsweringThread } from '../../test/support/answering-thread.js';
import { eventually } from '../../test/support/eventually.js';
import {
  answering,
  clientFor,
  closeAll,
  failure,
  goneProvider,
  json,
  provider,
  rawProvider,
  send,
  SENT,
  TOKEN,
} from '../../test/support/provider-stubs.js';
import { NotLeft, OTHER_CONNECTIONS } from './provider-http.js';

afterEach(closeAll);

describe('an error answer', () => {
  it('gets its class from its code, and carries Retry-After', async () => {
    const body = { error: { message: '(#130429) Rate limit hit', type: 'OAuthException', code: 130429 } };
    const { client } = await answering(400, body, { 'retry-after': '2' });
    await expect(failure(send(client))).resolves.toMatchObject({
      errorClass: 'number_rate',
      code: 130429,
      httpStatus: 400,
      retryAfter: 2_000,
    });
  });

  it('for a number that the provider does not know, or not for this token, is a fault of the number, not of the message', async () => {
    const error = { message: 'Unsupported post request.', code: 100, error_subcode: 33 };
    const { client } = await answering(400, { error });
    await expect(failure(send(client))).resolves.toMatchObject({ errorClass: 'account', code: 100 });
    const { client: other } = await answering(400, { error: { ...error, error_subcode: 2494010 } });
    await expect(failure(send(other))).resolves.toMatchObject({ errorClass: 'recipient', code: 100 });
  });

  it('counts as an error with HTTP 200 too', async () => {
    const { client } = await answering(200, { error: { message: 'x', code: 131049 } });
    await expect(failure(send(client))).resolves.toMatchObject({ errorClass: 'marketing_cap' });
  });

  it('hides the token that the provider repeats in it', async () => {
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
      errorClass: 'misrouted',
      httpStatus: 307,
    });
    expect(other.received).toHaveLength(0);
  });
});

describe('nothing was sent, so the class is transient', () => {
  it('when the connection is refused', async () => {
    await expect(failure(send(clientFor(await goneProvider())))).resolves.toMatchObject({
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

  it('when the caller gave the call up before', async () => {
    const { client, received } = await answering(200, SENT);
    await expect(failure(send(client, { signal: AbortSignal.abort() }))).resolves.toMatchObject({
      errorClass: 'transient',
    });
    expect(received).toHaveLength(0);
  });

  it('when the client is closed', async () => {
    const { client, received } = await answering(200, SENT);
    await client.onApplicationShutdown();
    await expect(failure(send(client))).resolves.toMatchObject({ errorClass: 'transient' });
    expect(received).toHaveLength(0);
  });
});

it('An idle connection is closed soon, however long the provider would keep it', async () => {
  const body = JSON.stringify(SENT);
  const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nkeep-alive: timeout=60\r\n\r\n${body}`;
  const sockets: Socket[] = [];
  const url = await rawProvider((socket) => {
    sockets.push(socket);
    socket.write(answer);
  });
  await send(clientFor(url));
  await eventually(() => expect(sockets.map((socket) => socket.closed)).toEqual([true]));
});

describe('a call that waits for its connection', () => {
  it('is not made when its turn has passed meanwhile, and leaves the connection to the next call', async () => {
    const answers: (() => void)[] = [];
    const { url, received } = await provider((_, response) => {
      answers.push(() => json(response, 200, SENT));
    });
    const client = clientFor(url, { DELIVERY_IN_FLIGHT: 1 });
    const connections = OTHER_CONNECTIONS + 1;
    const ahead = Array.from({ length: connections }, () => send(client));
    await eventually(() => expect(received).toHaveLength(connections));
    let asked = 0;
    const late = send(client, {
      mayLeave: () => {
        asked += 1;
        return false;
      },
    });
    const next = send(client, { mayLeave: () => true });
    expect(asked).toBe(0);
    answers.shift()?.();
    await expect(late).rejects.toBeInstanceOf(NotLeft);
    expect(asked).toBe(1);
    await eventually(() => expect(received).toHaveLength(connections + 1));
    expect(new Set(received.map(({ port }) => port)).size).toBe(connections);
    for (const answer of answers) answer();
    await expect(Promise.all([...ahead, next])).resolves.toHaveLength(connections + 1);
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

  it('whose rest came in time counts, though the worker stood still until it was over', async () => {
    const thread = new AnsweringThread(SENT);
    const url = await thread.start();
    try {
      const sent = send(clientFor(`${url}/begin`, { PROVIDER_TIMEOUT: 2_000 }));
      await thread.asked();
      await delay(200); // for its begin to be read
      await new Promise(setImmediate); // what follows are timers
      thread.standStill(2_100);
      await expect(sent).resolves.toMatchObject({ messageId: expect.any(String) });
    } finally {
      await thread.stop();
    }
  });

  it('when the connection is closed before the request is read', async () => {
    const url = await rawProvider(
      () => undefined,
      (socket) => socket.destroy(),
    );
    await expect(failure(send(clientFor(url)))).resolves.toMatchObject({ errorClass: 'unknown' });
  });

  it('when the caller gives the call up while it waits for the answer', async () => {
    const controller = new AbortController();
    const { url } = await provider(() => controller.abort());
    const error = await failure(send(clientFor(url), { signal: controller.signal }));
    expect(error).toMatchObject({ errorClass: 'unknown', details: 'ABORTED' });
  });

  it('when the service stops and the grace is over', async () => {
    const { url, received } = await provider(() => undefined);
    const client = clientFor(url, { SHUTDOWN_GRACE: 0 });
    const failed = failure(send(client));
    while (received.length === 0) await delay(5);
    await client.onApplicationShutdown();
    await expect(failed).resolves.toMatchObject({ errorClass: 'unknown' });
  });
});
