import { parseArgs } from 'node:util';

/** What a run measures, and for how long. */
export interface Options {
  rounds: number;
  /** The rounds of single floors and scenarios, where they are others; also of those on the grown database. */
  roundsOf: Record<string, number>;
  /** Seconds of each measurement; a sustained delivery takes three times as long. */
  seconds: number;
  /** Seconds of the same load before each measurement, so that code is compiled and caches are filled. */
  warmUp: number;
  connections: number;
  /** Names of floors and scenarios; null for all. */
  only: string[] | null;
  /** Whether this is a check of two minutes, which fails when a figure is far off its target. */
  smoke: boolean;
  /** Messages of a second database for the same scenarios; 0 for none. */
  grownRows: number;
  /** Partitions of that database that have messages. */
  partitions: number;
  /** Minutes of the run that measures the memory; 0 for none. */
  memoryMinutes: number;
  /** Messages that get all their changes of status before the sizes of tables are measured; 0 for none. */
  bloatMessages: number;
  /** Messages whose bytes of WAL and disk are counted over their lives; 0 for none. */
  bytesMessages: number;
  /** Messages whose retention is measured; 0 for none. */
  retentionMessages: number;
  /** Tenants beside which one is measured, each with two numbers and ten templates; 0 for none. */
  tenants: number;
  /** Whether PostgreSQL's work for idle workers beside 10,000 numbers is measured. */
  idle: boolean;
  /** Whether it is measured how fast one, two and four workers empty a backlog. */
  workers: boolean;
  /** Whether the same scenarios run with two processes of each role too. */
  scale: boolean;
  /** Whether CPU profiles of the service's processes are recorded, which slows them down. */
  profile: boolean;
}

export const USAGE = `npm run bench -- [--rounds 3] [--seconds 20] [--warm-up 5] [--connections 64] [--only accept,deliver]
  [--rounds-of accept=7,deliver=5]   other numbers of rounds for some, also on the grown database
  [--smoke]                          about two minutes; fails when a figure is far off its target
  [--growth [--rows 5000000] [--partitions 8]]
                                     also on a database of that many messages; filling it takes minutes
  [--memory [--minutes 10]]          also the memory of an API and a worker through a run
  [--bloat [--messages 250000]]      also the size of the tables after four changes of status to each message
  [--bytes [--messages 250000]]      also the bytes of WAL and disk that a message costs over its life
  [--retention [--old 5000000]]      also how long the retention of so many old messages takes
  [--many [--tenants 10000]]         also beside so many tenants, each with two numbers and ten templates
  [--idle]                           also PostgreSQL's work for one and eight workers that have nothing to do
  [--workers]                        also how fast one, two and four workers empty a backlog
  [--scale]                          also with two API processes and two workers
  [--profile]                        writes a CPU profile of each process of the service, which slows it down`;

/** @throws TypeError for an unknown option, RangeError for a malformed number */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string' },
      'rounds-of': { type: 'string', default: '' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      rows: { type: 'string', default: '5000000' },
      partitions: { type: 'string', default: '8' },
      memory: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '10' },
      bloat: { type: 'boolean', default: false },
      bytes: { type: 'boolean', default: false },
      messages: { type: 'string', default: '250000' },
      retention: { type: 'boolean', default: false },
      many: { type: 'boolean', default: false },
      tenants: { type: 'string', default: '10000' },
      old: { type: 'string', default: '5000000' },
      idle: { type: 'boolean', default: false },
      workers: { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const { smoke } = values;
  return {
    rounds: positive('rounds', values.rounds ?? (smoke ? '1' : '3')),
    roundsOf: roundsOf(values['rounds-of']),
    seconds: positive('seconds', values.seconds ?? (smoke ? '2' : '20')),
    warmUp: positive('warm-up', values['warm-up'] ?? (smoke ? '2' : '5')),
    connections: positive('connections', values.connections),
    only: values.only?.split(',') ?? null,
    smoke,
    grownRows: values.growth ? positive('rows', values.rows) : 0,
    partitions: positive('partitions', values.partitions),
    memoryMinutes: values.memory ? positive('minutes', values.minutes) : 0,
    bloatMessages: values.bloat ? positive('messages', values.messages) : 0,
    bytesMessages: values.bytes ? positive('messages', values.messages) : 0,
    retentionMessages: values.retention ? positive('old', values.old) : 0,
    tenants: values.many ? positive('tenants', values.tenants) : 0,
    idle: values.idle,
    workers: values.workers,
    scale: values.scale,
    profile: values.profile,
  };
}

function roundsOf(text: string): Record<string, number> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', count = ''] = pair.split('=');
      return [name, positive(`rounds-of ${name}`, count)];
    }),
  );
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new RangeError(`--${name} must be a number above 0`);
  return number;
}
