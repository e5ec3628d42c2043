/**
 * `npm run test:cluster`: a fault run of ten minutes on a PostgreSQL pair and a Redis Cluster. `-- --short` causes each
 * kind of failover once; `--minutes 30`, `--rate 200`, `--seed N` and `--only 'primary killed'` (again for further kinds)
 * choose other faults. `--failovers` causes only those of the primary, again and again for the minutes, while no process
 * dies at a fail point: for the times from a new primary to the next message. Prints a report, and exits with 1 when a message was lost or repeated, or when anything else is wrong.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { type FaultOptions, runFaults } from '../faults/harness.js';
import { printed } from '../faults/report.js';
import { ClusterGround } from './cluster-ground.js';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    failovers: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    rate: { type: 'string', default: '60' },
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

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

say(`Seed ${values.seed}`);
const report = await runFaults(options, say);
process.stdout.write(`\n${printed(report)}\n\n`);
say(report.verdict.holds ? 'Nothing lost, nothing twice.' : 'NOT AS PROMISED.');
process.exit(report.verdict.holds ? 0 : 1);
