import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { previousRelease, type Release } from '../support/previous-release.js';
import { databaseFacts, ledgerDifference, unfinished } from './facts.js';
import { Journal } from './journal.js';
import { type Death, PATIENCE, type Role, ServiceProcess } from './processes.js';
import { copyProgram } from './program.js';
import { CALM_FATES, CountingProvider } from './provider.js';
import { SeededRandom } from './seeded-random.js';
import { CrashableServer } from './servers.js';
import { environment, introduce, SLOW_ANSWER } from './setup.js';
import { Stream } from './stream.js';
import { judge } from './verdict.js';

/** Milliseconds. This is no measure of speed: the previous release is installed and compiled here. */
const LONGEST = 900_000;

/** Messages a second. */
const RATE = 40;

/** Messages that are accepted in each state of the change. */
const STEP = 80;

/** Seconds, as no process dies here. */
const WINDOW = 120;

const told: string[] = [];
const ends: (() => Promise<unknown>)[] = [];
const deaths: Death[] = [];
let folder: string;
let previous: Release;
let present: Release;

const progress = (line: string) => void told.push(line);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-rolling-'));
  // Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
  await chmod(folder, 0o711);
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const main = await copyProgram(folder);
  present = { name: 'this', main, admin: join(folder, 'dist/src/admin/main.js') };
  previous = await previousRelease(join(folder, 'previous'), progress);
}, LONGEST);

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Runs an admin command of a release. @returns what it prints */
async function admin(release: Release, args: string[], env: Record<string, string>): Promise<object> {
  const variables = { ...env, PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)(process.execPath, [release.admin, ...args], {
    cwd: folder,
    env: variables,
  });
  return JSON.parse(stdout) as object;
}

async function startProcess(
  release: Release,
  role: Role,
  env: Record<string, string>,
): Promise<ServiceProcess> {
  const name = `${release.name}-${role}`.replaceAll('/', '-');
  const program = { file: release.main, folder, env, environmentOf: () => ({}) };
  const started = new ServiceProcess(
    name,
    role,
    program,
    () => null,
    (death) => deaths.push(death),
  );
  ends.push(() => started.end());
  started.start();
  await started.untilReady();
  return started;
}

async function untilAccepted(journal: Journal, more: number): Promise<void> {
  const enough = journal.accepted.size + more;
  const check = () => {
    if (journal.accepted.size < enough)
      throw new Error(`Only ${journal.accepted.size} of ${enough} are accepted`);
  };
  await eventually(check, { patience: PATIENCE, interval: 100 });
}

it(
  'A new version takes over from the previous release under load, and nobody notices',
  async () => {
    const journal = new Journal();
    const random = new SeededRandom(1);
    const apis: ServiceProcess[] = [];
    const targets = () => apis.flatMap(({ name, url }) => (url === null ? [] : { name, url }));
    const urls = () => targets().map(({ url }) => url);
    const [postgres, redis] = [await CrashableServer.postgres(folder), await CrashableServer.redis(folder)];
    ends.push(
      () => postgres.stop(),
      () => redis.stop(),
    );
    const provider = await CountingProvider.start(journal, random, {
      slowAnswer: SLOW_ANSWER,
      likelihoods: CALM_FATES,
      targets: urls,
    });
    ends.push(() => provider.stop());
    const env = {
      ...environment(folder, provider.url),
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
    };

    const client = await introduce(env, (args, variables) => admin(previous, args, variables));
    const oldApi = await startProcess(previous, 'api', env);
    apis.push(oldApi);
    const oldWorker = await startProcess(previous, 'worker', env);
    const stream = new Stream(journal, random, { ...client, targets, rate: RATE });
    stream.start();
    await untilAccepted(journal, STEP);

    const { migrations } = (await admin(present, ['database:migrate'], env)) as { migrations: string[] };
    progress(`Migrations under load: ${migrations.join(', ') || 'none'}`);
    await untilAccepted(journal, STEP);

    const newWorker = await startProcess(present, 'worker', env);
    apis.push(await startProcess(present, 'api', env));
    await untilAccepted(journal, 2 * STEP);

    expect([await oldWorker.retire(), await oldApi.retire()]).toEqual([0, 0]);
    await untilAccepted(journal, STEP);

    // A process of the previous release that is started again, as after a step back, works on the new schema too.
    const again = await startProcess(previous, 'worker', env);
    expect(await newWorker.retire()).toBe(0);
    await untilAccepted(journal, STEP);

    await stream.stop();
    await eventually(
      async () => {
        const left = { ...(await unfinished(postgres.url)), receipts: provider.receiptsWaiting };
        expect(left).toEqual({ messages: 0, deliveries: 0, receipts: 0 });
      },
      { patience: PATIENCE, interval: 250 },
    );
    expect(await again.retire()).toBe(0);
    const ledgerDifferences = [await ledgerDifference(postgres.url)];
    const facts = await databaseFacts(postgres.url);
    const verdict = judge(journal, facts, { deaths, ledgerDifferences, window: WINDOW });
    process.stderr.write(`${told.join('\n')}\n`);
    expect(verdict.violations.filter(({ count }) => count > 0)).toEqual([]);
    expect({ twice: verdict.takenTwice, refusals: stream.refusals, unanswered: stream.unanswered }).toEqual({
      twice: 0,
      refusals: 0,
      unanswered: 0,
    });
    expect(verdict.accepted).toBeGreaterThanOrEqual(6 * STEP);
  },
  LONGEST,
);
