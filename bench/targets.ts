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
const GROWN: Target[] = ['accept', 'deliver', 'drain', 'receipts-1', 'receipts-100', 'list'].map((name) => ({
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

/** Targets for how much a tenant notices of another tenant's lists. */
const READS: Target[] = [
  { what: 'send p99 beside 150 lists : alone', figure: 'reads.besideP99', atMost: 3, of: 'reads.aloneP99' },
];

/** All targets of issues 6 and 12. */
export const TARGETS: readonly Target[] = [...BASE, ...GROWN, ...GROWN_TIMES, ...READS, ...LONG_RUNS];

export interface Verdict extends Target {
  /** The figure, or its ratio to the other one, in the unit of the limit. */
  value: number;
  reached: boolean;
}

/**
 * Compares the measured figures with their targets.
 * @param medians by `SCENARIO.FIGURE`
 * @param margin the factor by which a figure may miss its limit: 1 is none, 2 is half or double the limit
 */
export function judge(medians: Record<string, number>, margin = 1): Verdict[] {
  return TARGETS.flatMap((target) => {
    const figure = medians[target.figure];
    const base = target.of === undefined ? 1 : medians[target.of];
    if (figure === undefined || base === undefined) return [];
    const value = figure / base;
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
