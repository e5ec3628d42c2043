import { parseArgs } from 'node:util';

/** What a run measures, and for how long. */
export interface Options {
  rounds: number;
  /** Seconds of each measurement; a sustained delivery takes three times as long. */
  seconds: number;
  /** Seconds of the same load before each measurement, so that code is compiled and caches are filled. */
  warmUp: number;
  connections: number;
  /** Names of floors and scenarios; null for all. */
  only: string[] | null;
  /** Whether this is a check of one minute, which fails when a figure is far off its target. */
  smoke: boolean;
  /** Messages of a second database for the same scenarios, a fifth of them scheduled for later; 0 for none. */
  grownRows: number;
  /** Minutes of the run that measures the memory; 0 for none. */
  memoryMinutes: number;
  /** Messages that get all their changes of status before the sizes of tables are measured; 0 for none. */
  bloatMessages: number;
  /** Messages whose bytes of WAL and disk are counted over their lives; 0 for none. */
  bytesMessages: number;
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
  [--smoke]                          about a minute; fails when a figure is far off its target
  [--growth [--rows 5000000]]        also on a database of that many messages; filling it takes minutes
  [--memory [--minutes 10]]          also the memory of an API and a worker through a run
  [--bloat [--messages 250000]]      also the size of the tables after four changes of status to each message
  [--bytes [--messages 250000]]      also the bytes of WAL and disk that a message costs over its life
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
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      rows: { type: 'string', default: '5000000' },
      memory: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '10' },
      bloat: { type: 'boolean', default: false },
      bytes: { type: 'boolean', default: false },
      messages: { type: 'string', default: '250000' },
      idle: { type: 'boolean', default: false },
      workers: { type: 'boolean', default: false },
      scale: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const { smoke } = values;
  return {
    rounds: positive('rounds', values.rounds ?? (smoke ? '1' : '3')),
    seconds: positive('seconds', values.seconds ?? (smoke ? '2' : '20')),
    warmUp: positive('warm-up', values['warm-up'] ?? (smoke ? '2' : '5')),
    connections: positive('connections', values.connections),
    only: values.only?.split(',') ?? null,
    smoke,
    grownRows: values.growth ? positive('rows', values.rows) : 0,
    memoryMinutes: values.memory ? positive('minutes', values.minutes) : 0,
    bloatMessages: values.bloat ? positive('messages', values.messages) : 0,
    bytesMessages: values.bytes ? positive('messages', values.messages) : 0,
    idle: values.idle,
    workers: values.workers,
    scale: values.scale,
    profile: values.profile,
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new RangeError(`--${name} must be a number above 0`);
  return number;
}
