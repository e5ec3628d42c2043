import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SHARDS } from '../src/shards/shards.js';
import { Api } from './support/api.js';
import { messageLogIdOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom, type TestNumbers } from './support/numbers.js';
import { ServiceProcess } from './support/service-process.js';
import { startTestService, type TestService } from './support/service.js';

const APIS = 4;
const WORKERS = 8;

/** Numbers of all shards, and messages of each. */
const NUMBERS = SHARDS;
const MESSAGES = 5;

/** Connections of a process: all processes together have to fit into max_connections of PostgreSQL. */
const POOL = 6;

/** Bytes of memory of a process at most. */
const MOST_MEMORY = 300 * 1024 * 1024;

let service: TestService;
let apis: ServiceProcess[] = [];
let workers: ServiceProcess[] = [];
beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' });
  // All at the same time, as after a deployment.
  apis = processesOf('api', APIS);
  workers = processesOf('worker', WORKERS);
  await Promise.all([...apis, ...workers].map((process) => process.untilReady()));
});
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((process) => process.kill()));
  await service.stop();
});

const processesOf = (role: 'api' | 'worker', count: number) =>
  Array.from(
    { length: count },
    () => new ServiceProcess(service.config, { ROLE: role, DATABASE_POOL: POOL }),
  );

const sql = (text: string) => service.database.run<Record<string, any>>({ name: '', text });

/** Sends through all API processes in turns, some at the same time. @returns the ids of the messages */
async function sendAll({ tenant, numbers }: TestNumbers): Promise<number[]> {
  const callers = apis.map(({ url }) => new Api(url, tenant.api.key));
  const ids: number[] = [];
  for (let round = 0; round < MESSAGES; round += 1) {
    const answers = await Promise.all(
      numbers.map((_, i) =>
        callers[(i + round) % APIS]!.send(`+49151${1_000 + i}${1_000 + round}`, {
          messaging_account_id: tenant.accounts[i],
          data: { name: 'plain', components: [] },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    ids.push(...answers.map(({ body }) => body.data['message_log_id'] as number));
  }
  return ids;
}

describe(`${WORKERS} workers and ${APIS} APIs that start at the same time`, () => {
  it('share the shards evenly, each shard with one worker', async () => {
    await eventually(async () => {
      const parts = await sql(
        'SELECT count(*) AS shards FROM shards JOIN worker_leases USING (worker_id) WHERE leased_until > now() GROUP BY worker_id',
      );
      expect(parts.map(({ shards }) => shards)).toEqual(Array(WORKERS).fill(SHARDS / WORKERS));
    });
  });

  it('send the messages of many numbers once, in little memory', async () => {
    const added = await addNumbers(service, Array<number>(NUMBERS).fill(80));
    const sent = await sendAll(added);
    expect(new Set(sent).size).toBe(NUMBERS * MESSAGES);
    const taken = () => added.numbers.flatMap((number) => takenFrom(service, number.phone_number_id));
    await eventually(async () => {
      expect(new Set(taken().map(messageLogIdOf))).toEqual(new Set(sent));
      expect(await sql('SELECT count(*) AS waiting FROM outbox')).toEqual([{ waiting: 0 }]);
    });
    expect(taken()).toHaveLength(sent.length);
    for (const process of [...apis, ...workers]) expect(memoryOf(process.pid)).toBeLessThan(MOST_MEMORY);
  });
});

/** Bytes that the process has in memory. */
function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
