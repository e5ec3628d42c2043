/**
 * `npm run test:cluster`: all tests with a PostgreSQL pair behind PgBouncer, then a fault run on such a pair and a Redis
 * Cluster. Prints a report, and exits with 1 when a test failed, a message was lost or repeated, or anything else is wrong.
 */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FaultOptions, runFaults } from '../faults/harness.js';
import { printed } from '../faults/report.js';
import { ClusterGround } from './cluster-ground.js';
import { runOptions } from '../support/run-options.js';
import { clusterPrograms } from './programs.js';

const USAGE = `npm run test:cluster                  all tests, some 25 minutes, then a fault run of ten minutes
The other forms are fault runs only:
npm run test:cluster -- --short       each kind of failover once
  --failovers [--minutes 10]          only those of the primary, again and again, while no process dies at a fail point:
                                      for the times from a new primary to the next message
  --only 'primary killed'             only this kind, or several, each with its --only
  --minutes 30  --rate 200  --seed N  of each`;

const values = runOptions(
  {
    short: { type: 'boolean', default: false },
    failovers: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    rate: { type: 'string', default: '60' },
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
  USAGE,
);

/** Of each kind of failover one. */
const SHORT = [
  'primary killed',
  'primary paused',
  'primary silent',
  'planned switch of the primary',
  'HAProxy killed',
  'PgBouncer killed',
  'one etcd killed',
  'Redis master killed',
];

/** Another PostgreSQL takes over from the primary. */
const FAILOVERS = [
  'primary killed',
  'primary paused',
  'primary silent',
  "primary's Patroni killed",
  'planned switch of the primary',
];

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const kinds = values.only ?? (values.failovers ? FAILOVERS : values.short ? SHORT : undefined);
const minutes = values.minutes ?? (values.short || values.only ? '0' : '10');

const options: FaultOptions = {
  seed: Number(values.seed),
  ground: (folder) => ClusterGround.start(folder, say),
  duration: Number(minutes) * 60_000,
  faults: 0,
  messages: 0,
  rate: Number(values.rate),
  window: values.short ? 20 : 30,
  longestLife: 3_000,
  workers: 3,
  failPoints: kinds ? 'none' : 'endless',
  hasSilence: !values.short,
  pauses: [5_000, 20_000],
  ...(kinds && { kinds }),
};

/** @returns whether all tests have passed */
async function runTests(): Promise<boolean> {
  await clusterPrograms(['pgbouncer'], say);
  const env = { ...process.env, TEST_POSTGRES: 'pair', TEST_PGBOUNCER: '1', TEST_CLUSTER: '1' };
  const [code] = await once(spawn('npm', ['test', '--', '--ci'], { env, stdio: 'inherit' }), 'exit');
  return code === 0;
}

const isWhole = !kinds && values.minutes === undefined;
const havePassed = isWhole ? await runTests() : true;
if (!havePassed) say('Tests have failed. The fault run follows.');

say(`Seed ${values.seed}`);
const report = await runFaults(options, say);
process.stdout.write(`\n${printed(report)}\n\n`);
say(report.verdict.holds ? 'Nothing lost, nothing twice.' : 'NOT AS PROMISED.');
if (!havePassed) say('NOT ALL TESTS HAVE PASSED.');
process.exit(report.verdict.holds && havePassed ? 0 : 1);
