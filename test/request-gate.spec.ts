import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiErrorFilter } from '../src/http/api-error.filter.js';
import { guardRequests } from '../src/http/request-gate.js';
import { assignRequestId } from '../src/http/request-id.js';
import { eventually } from './support/eventually.js';
import './support/matchers.js';
import { RawConnection } from './support/raw-connection.js';

/** As the service's own, in less time: Node looks at connections as often as it was told at the start. */
let server: Server;
/** Requests that are not answered yet. */
const waiting: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer({ connectionsCheckingInterval: 50 }, (_request, response) => {
    waiting.push(response);
  });
  Object.assign(server, { headersTimeout: 300, requestTimeout: 0 });
  guardRequests(server, {
    begin: assignRequestId,
    filter: new ApiErrorFilter(
      () => null,
      () => [],
      () => undefined,
    ),
    bodyTime: { period: 300, isUpload: () => false },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => promisify(server.close.bind(server))());

const open = () => RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const connections = () => promisify(server.getConnections.bind(server))();
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('A connection on which the headers do not come in time', () => {
  it('gets an error, and ends', async () => {
    const [answer, ...others] = await (await open()).say('GET / HTTP/1.1\r\nHost:').answersUntilClosed();
    expect(answer).toBeError(408, 'REQUEST_TIMEOUT');
    expect(others).toEqual([]);
  });

  it('ends without an answer when nothing has come at all', async () => {
    expect(await (await open()).answersUntilClosed()).toEqual([]);
  });

  it('ends although the caller goes on sending', async () => {
    const connection = (await open()).say('GET / HTTP/1.1\r\nX:');
    const timer = setInterval(() => connection.say('x'), 50);
    await connection.answers(1);
    await eventually(async () => expect(await connections()).toBe(0));
    clearInterval(timer);
    connection.leave();
  });

  it('gets the error after the answer to its earlier request, and no answer to what comes later', async () => {
    const begin = `${REQUEST}GET / HTTP/1.1\r\nX: `;
    const rest = 'late\r\nHost: localhost\r\n\r\n';
    const late = once(server, 'clientError');
    const connection = (await open()).say(begin);
    await late;
    const [first] = waiting.splice(0) as [ServerResponse];
    connection.say(rest);
    await eventually(() => expect(first.socket?.bytesRead).toBe(begin.length + rest.length));
    first.end('{}');
    const answers = await connection.answersUntilClosed();
    expect(answers.map(({ status }) => status)).toEqual([200, 408]);
    expect(waiting).toEqual([]);
  });
});
