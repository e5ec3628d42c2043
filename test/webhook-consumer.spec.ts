import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { freePorts } from './support/free-ports.js';
import { SECRETS, startTestService, type TestService } from './support/service.js';
import { useTemporaryFolder } from './support/temporary-folder.js';

const LIFE = ['message.accepted', 'message.sent', 'message.delivered', 'message.read'];

const folder = useTemporaryFolder();

let service: TestService;
let environment: Record<string, string>;
let consumer: ChildProcess;
/** What the consumer has printed, in all of its runs. */
const printed: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  const [port] = await freePorts(1);
  environment = {
    SERVICE_URL: service.url,
    API_KEY: SECRETS.demoApiKey,
    PORT: String(port),
  };
});
afterAll(async () => {
  await kill();
  await service.stop();
});

async function start(): Promise<void> {
  const file = 'examples/webhook-consumer/consumer.ts';
  const args = ['--import', './test/support/typescript.mjs', file];
  const started = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...environment, STATE_FILE: join(folder(), 'state.json') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  consumer = started;
  started.stdout.on('data', (lines: Buffer) => printed.push(...lines.toString().trimEnd().split('\n')));
  await eventually(() => expect(printed.at(-1)).toContain('Waiting for events'));
}

async function kill(): Promise<void> {
  if (consumer.exitCode !== null || consumer.signalCode !== null) return;
  consumer.kill('SIGKILL');
  await once(consumer, 'exit');
}

const send = async (phone: string, client_reference: string): Promise<number> => {
  const { body } = await service.api.send(phone, { client_reference });
  const id: number = body.data['message_log_id'];
  await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
  return id;
};

const lines = (id: number, reference: string) => LIFE.map((type) => `${type} ${id} ${reference}`);

it('The example of a consumer prints the life of each message once, also of those sent while it was away', async () => {
  await start();
  const first = await send('+12025554001', 'order-1');
  const ofFirst = () => printed.filter((line) => line.endsWith(' order-1'));
  await eventually(() => expect(ofFirst()).toEqual(lines(first, 'order-1')));
  await kill();
  const second = await send('+12025554002', 'order-2');
  await start();
  await eventually(() =>
    expect(printed.filter((line) => line.endsWith(' order-2'))).toEqual(lines(second, 'order-2')),
  );
  expect(ofFirst()).toEqual(lines(first, 'order-1'));
});
