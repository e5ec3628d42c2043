import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../../src/config/config.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** Milliseconds for which nginx and the load balancers of AWS keep an idle connection. */
const USUAL_PROXY = 60_000;

const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** A connection that is idle after one request was answered. */
async function idleConnection(config: Partial<Config> = {}): Promise<{ socket: Socket; answer: string }> {
  service = await startTestService(config);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(REQUEST);
  const [answer] = await once(socket, 'data');
  socket.resume();
  return { socket, answer: String(answer) };
}

describe('An idle connection', () => {
  it('is kept for longer than a proxy keeps it, so that the proxy never sends into a closing one', async () => {
    const { answer } = await idleConnection();
    expect(answer).toContain('Keep-Alive: timeout=75\r\n');
    const { keepAliveTimeout, headersTimeout } = service!.app.getHttpServer() as Server;
    expect(keepAliveTimeout).toBeGreaterThan(USUAL_PROXY);
    // The headers' limit holds for a connection that was opened in advance and has had no request yet.
    expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
  });

  it('is closed after KEEP_ALIVE_TIMEOUT', async () => {
    const { socket } = await idleConnection({ KEEP_ALIVE_TIMEOUT: 1 });
    await eventually(() => expect(socket.closed).toBe(true));
  });

  it('does not delay the end of the service', async () => {
    const { socket } = await idleConnection({ KEEP_ALIVE_TIMEOUT: 600, SHUTDOWN_GRACE: 600 });
    const { stop } = service!;
    service = undefined;
    await stop();
    await eventually(() => expect(socket.closed).toBe(true));
  });
});
