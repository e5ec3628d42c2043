import { expect } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { Config } from '../../src/config/config.js';
import { MetricsRegistry } from '../../src/common/metrics-registry.js';
import { ProviderMetrics } from '../../src/provider/provider-metrics.js';
import { ProviderClient } from '../../src/provider/provider.client.js';
import { ProviderError } from '../../src/provider/provider-error.js';
import type { WireSendRequest } from '../../src/provider/wire.js';

export const TOKEN = 'EAAGm0PX4ZCpsBAsecret';
export const CREDENTIALS = { accessToken: TOKEN };
/** A message to send. */
export const REQUEST: WireSendRequest = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '15551234567',
  type: 'template',
  template: { name: 'order_update', language: { code: 'en_US' }, components: [] },
  biz_opaque_callback_data: '42',
};
/** The answer to it. */
export const SENT = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '15551234567', wa_id: '15551234567' }],
  messages: [{ id: 'wamid.1', message_status: 'accepted' }],
};

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The port of the client, by which connections can be distinguished. */
  port: number | undefined;
}
type Handler = (received: Received, response: ServerResponse) => void;

const cleanups: (() => Promise<void>)[] = [];

/** For `afterEach`: closes the clients and providers that a test has opened. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
}

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A provider that answers by `handler`; `received` collects its requests. */
export async function provider(handler: Handler): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const port = request.socket.remotePort;
      received.push({ method, url, headers, body: Buffer.concat(chunks), port });
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

/** A provider without HTTP: `onData` gets the connection when the first bytes of a request have come. */
export async function rawProvider(
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

/** The URL of a provider that does not listen any more: connections to it are refused. */
export async function goneProvider(): Promise<string> {
  const url = await rawProvider(() => undefined);
  await cleanups.pop()!();
  return url;
}

/** A client of the provider at a URL. */
export function clientFor(url: string, settings: Partial<Config> = {}): ProviderClient {
  const config = Object.assign(new Config(), { PROVIDER_BASE_URL: url, PROVIDER_TIMEOUT: 3_000 }, settings);
  const client = new ProviderClient(config, new ProviderMetrics(new MetricsRegistry()));
  cleanups.push(() => client.onApplicationShutdown());
  return client;
}

/** Answers with JSON. */
export const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A client of a provider that gives one answer to everything. */
export async function answering(status: number, body: unknown, headers = {}) {
  const { url, received } = await provider((_, response) => json(response, status, body, headers));
  return { client: clientFor(url), received };
}

/** The error of a call, which has to fail without showing the token. */
export async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  expect(JSON.stringify(error) + String(error) + (error as Error).stack).not.toContain(TOKEN);
  return error as ProviderError;
}

export const send = (client: ProviderClient, options: Parameters<ProviderClient['send']>[3] = {}) =>
  client.send(CREDENTIALS, '106540352242922', REQUEST, options);
