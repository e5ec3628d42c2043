import { type ClientRequest, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { withRawBody } from './raw-body.js';

let server: Server | undefined;
let caller: ClientRequest | undefined;
afterEach(() => {
  caller?.destroy();
  server?.close();
});

/** What a server reads of a body, or the error; it begins to read when `before` is done. */
async function reading(
  send: (call: ClientRequest) => void,
  { patience, before = () => undefined }: { patience?: number; before?: (call: Request) => unknown } = {},
): Promise<unknown> {
  return new Promise((resolve) => {
    const listening = createServer(async (call, response) => {
      await before(call as Request);
      const body = withRawBody(call as Request, ({ stream }) => text(stream), patience);
      resolve(await body.catch((error: Error) => error));
      response.end();
    });
    server = listening.listen(0, '127.0.0.1', () => {
      const { port } = listening.address() as AddressInfo;
      caller = request({ port, method: 'POST', agent: false, headers: { 'Content-Length': 4 } });
      caller.on('error', () => undefined);
      send(caller);
    });
  });
}

describe('A raw body', () => {
  it('is read as it was sent', async () => {
    expect(await reading((call) => call.end('file'))).toBe('file');
  });

  it('ends with an error when the caller disconnects halfway', async () => {
    const half = (call: ClientRequest) => call.write('fi', () => setImmediate(() => call.destroy()));
    expect(await reading(half)).toBeInstanceOf(Error);
  });

  it('ends with an error when the caller has disconnected before it is read', async () => {
    const half = (call: ClientRequest) => call.write('fi', () => setImmediate(() => call.destroy()));
    const before = (call: Request) => new Promise((resolve) => call.once('close', resolve));
    expect(await reading(half, { before })).toEqual(
      new Error('The connection was lost before the body was read.'),
    );
  });

  it('ends with an error when nothing more of it comes', async () => {
    expect(await reading((call) => call.write('fi'), { patience: 50 })).toEqual(
      new Error('Nothing more of the body has come.'),
    );
  });
});
