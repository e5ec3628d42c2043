import { median } from './statistics.js';

/** A target for a figure, `SCENARIO.FIGURE`: a number, or a multiple of another figure. */
export interface Target {
  what: string;
  figure: string;
  atLeast?: number;
  atMost?: number;
  /** The figure that the limit is a multiple of. */
  of?: string;
}

/** The targets on an empty database. */
const BASE: Target[] = [
  { what: 'accept : NestJS hello', figure: 'accept.rate', atLeast: 1, of: 'nest-hello.rate' },
  { what: 'accept : bare insert', figure: 'accept.rate', atLeast: 0.5, of: 'bare-insert.rate' },
  { what: 'deliver, messages/s', figure: 'deliver.rate', atLeast: 1_000 },
  { what: 'deliver : accept', figure: 'deliver.rate', atLeast: 0.4, of: 'accept.rate' },
  { what: 'drain, messages/s', figure: 'drain.rate', atLeast: 2_000 },
  { what: 'receipts by 1 : deliver', figure: 'receipts-1.rate', atLeast: 3, of: 'deliver.rate' },
  { what: 'receipts by 100 : deliver', figure: 'receipts-100.rate', atLeast: 10, of: 'deliver.rate' },
  { what: 'receipts by 1, median answer, ms', figure: 'receipts-1.p50', atMost: 25 },
  { what: 'receipts by 100, median answer, ms', figure: 'receipts-100.p50', atMost: 25 },
  { what: 'latency, POST p50, ms', figure: 'latency.p50', atMost: 5 },
  { what: 'latency, POST p99, ms', figure: 'latency.p99', atMost: 25 },
  { what: 'latency, POST to provider p50, ms', figure: 'latency.toProviderP50', atMost: 20 },
  { what: 'latency, POST to provider p99, ms', figure: 'latency.toProviderP99', atMost: 100 },
  { what: 'list : NestJS hello', figure: 'list.rate', atLeast: 0.7, of: 'nest-hello.rate' },
  { what: 'Redis, MB at most', figure: 'redis.mb', atMost: 64 },
];

/** Targets for rates on the grown database, compared with those on the empty one. */
const GROWN: Target[] = [
  'accept',
  'deliver',
  'drain',
  'receipts-1',
  'receipts-100',
  'messages',
  'events',
  'list',
].map((name) => ({
  what: `grown ${name} : empty`,
  figure: `grown-${name}.rate`,
  atLeast: 0.9,
  of: `${name}.rate`,
}));

/** Times on the grown database have the same limits. */
const GROWN_TIMES: Target[] = BASE.filter(({ figure }) => figure.startsWith('latency.')).map((target) => ({
  ...target,
  what: `grown ${target.what}`,
  figure: `grown-${target.figure}`,
}));

const LONG_RUNS: Target[] = [
  { what: 'many tenants, accept over all numbers : ten', figure: 'many.accept', atLeast: 0.9 },
  { what: 'many tenants, dispatch of all numbers : ten', figure: 'many.dispatch', atLeast: 0.5 },
  { what: "many tenants, one's lists : alone", figure: 'many.lists', atLeast: 0.9 },
  { what: "many tenants, one's sync : alone", figure: 'many.sync', atLeast: 0.9 },
  { what: 'many tenants, API, MB at most', figure: 'many.apiMb', atMost: 300 },
  { what: 'many tenants, worker, MB at most', figure: 'many.workerMb', atMost: 300 },
  { what: 'retention, seconds', figure: 'retention.seconds', atMost: 30 },
  { what: 'retention, longest pause of accept, ms', figure: 'retention.pause', atMost: 1_000 },
  { what: 'memory, API, MB at most', figure: 'memory.apiMb', atMost: 250 },
  { what: 'memory, worker, MB at most', figure: 'memory.workerMb', atMost: 250 },
  { what: 'memory, API, last quarter : third', figure: 'memory.apiGrowth', atMost: 1.05 },
  { what: 'memory, worker, last quarter : third', figure: 'memory.workerGrowth', atMost: 1.05 },
  { what: 'idle, one worker, cores of PostgreSQL', figure: 'idle.one', atMost: 0.02 },
  { what: 'idle, eight workers, cores of PostgreSQL', figure: 'idle.eight', atMost: 0.04 },
  { what: 'drain, two workers : one', figure: 'workers.two', atLeast: 1, of: 'workers.one' },
  { what: 'drain, four workers : one', figure: 'workers.four', atLeast: 1, of: 'workers.one' },
  { what: 'WAL of a message, bytes at most', figure: 'bytes.wal', atMost: 4_000 },
  { what: 'disk of a message, bytes at most', figure: 'bytes.disk', atMost: 1_800 },
  { what: 'bloat, table : fresh copy', figure: 'bloat.table', atMost: 1.5 },
  { what: 'bloat, indexes : fresh copy', figure: 'bloat.indexes', atMost: 1.3 },
];

/** Targets for batches, opt-outs and events. */
const REACH: Target[] = [
  { what: 'accept, a million opt-outs : none', figure: 'opt-outs.rate', atLeast: 0.95, of: 'accept.rate' },
  { what: 'batches of 100 : single sends', figure: 'batch.by100', atLeast: 4, of: 'batch.single' },
  { what: 'batches of 1,000 : single sends', figure: 'batch.by1000', atLeast: 4, of: 'batch.single' },
  { what: 'batch of 1,000, p99 by itself, ms', figure: 'batch.idleP99', atMost: 300 },
  { what: 'push, messages/s', figure: 'push.messages', atLeast: 950 },
  { what: 'push, p99 from record to endpoint, ms', figure: 'push.p99', atMost: 2_000 },
  { what: 'the same beside one that hangs, ms', figure: 'push.besideP99', atMost: 2_000 },
];

/** Targets for how much a tenant notices of another tenant's lists. */
const READS: Target[] = [
  { what: 'send p99 beside 150 lists : alone', figure: 'reads.besideP99', atMost: 3, of: 'reads.aloneP99' },
];

/** All targets. */
export const TARGETS: readonly Target[] = [
  ...BASE,
  ...GROWN,
  ...GROWN_TIMES,
  ...REACH,
  ...READS,
  ...LONG_RUNS,
];

export interface Verdict extends Target {
  /** The figure, or its ratio to the other one, in the unit of the limit. */
  value: number;
  reached: boolean;
}

/**
 * Compares the measured figures with their targets. A ratio is the median of the rounds' ratios, as what the two are
 * measured on may change from round to round; where they have had different numbers of rounds, that of their medians.
 * @param rounds the figures of all rounds, by `SCENARIO.FIGURE`
 * @param margin the factor by which a figure may miss its limit: 1 is none, 2 is half or double the limit
 */
export function judge(rounds: Record<string, number[]>, margin = 1): Verdict[] {
  return TARGETS.flatMap((target) => {
    const figures = rounds[target.figure];
    const bases = target.of === undefined ? figures?.map(() => 1) : rounds[target.of];
    if (figures === undefined || bases === undefined) return [];
    const value =
      figures.length === bases.length
        ? median(figures.map((figure, round) => figure / (bases[round] ?? Number.NaN)))
        : median(figures) / median(bases);
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target;
    return [{ ...target, value, reached: value >= atLeast / margin && value <= atMost * margin }];
  });
}

const scenarioOf = (figure: string) => figure.split('.')[0] as string;

/** The named scenarios, and those with whose figures their targets compare. */
export function withBases(names: string[]): Set<string> {
  const bases = TARGETS.flatMap(({ figure, of }) =>
    of !== undefined && names.includes(scenarioOf(figure)) ? [scenarioOf(of)] : [],
  );
  return new Set([...names, ...bases]);
}
