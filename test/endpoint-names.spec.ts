import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { addressesOf } from '../src/webhook-endpoints/endpoint-names.js';

const open: Socket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

/** A server of names. @param answer to a question, if there is one @returns its address and port */
async function nameServer(answer: (question: Buffer) => Buffer | null): Promise<string> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.on('message', (question, { port, address }) => {
    const said = answer(question);
    if (said) socket.send(said, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const ADDRESSES: Record<number, Buffer> = {
  1: Buffer.from([192, 0, 2, 1]), // A
  28: Buffer.from('20010db8000000000000000000000001', 'hex'), // AAAA
};

/** Answers as RFC 1035 has it: with one address, or with an error. */
function answerTo(question: Buffer, error = 0): Buffer {
  const end = question.indexOf(0, 12) + 5; // behind the name, the type and the class
  const asked = question.subarray(12, end);
  const data = ADDRESSES[question.readUInt16BE(end - 4)]!;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 + error, 2);
  header.writeUInt16BE(error ? 0 : 1, 6);
  header.fill(0, 8);
  if (error) return Buffer.concat([header, asked]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0); // the name that was asked for
  asked.copy(record, 2, asked.length - 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, asked, record, data]);
}

const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

it('A name has the addresses of both families', async () => {
  const server = await nameServer((question) => answerTo(question));
  expect(await addressesOf('hooks.example.com', [server])).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
});

it('A name that nobody knows is told from one that cannot be asked for now', async () => {
  const unknown = await nameServer((question) => answerTo(question, NAME_ERROR));
  const broken = await nameServer((question) => answerTo(question, SERVER_FAILURE));
  await expect(addressesOf('none.example.com', [unknown])).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(addressesOf('hooks.example.com', [broken])).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

it('Names whose servers are silent stop no other look-ups', async () => {
  const silent = await nameServer(() => null);
  let ended = 0;
  const looks = Array.from({ length: 16 }, (_, i) =>
    addressesOf(`hooks-${i}.example.com`, [silent])
      .finally(() => (ended += 1))
      .catch((error: { code: string }) => error.code),
  );
  await lookup('localhost');
  expect(ended).toBe(0);
  expect(new Set(await Promise.all(looks))).toEqual(new Set(['EAI_AGAIN']));
});
