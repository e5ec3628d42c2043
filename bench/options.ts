import { parseArgs } from 'node:util';

/** What a run measures, and for how long. */
export interface Options {
  rounds: number;
  /** Of each measurement; a sustained delivery takes three times as long. */
  seconds: number;
  /** Before each measurement, of the same load: compiled code and filled caches. */
  warmUp: number;
  connections: number;
  /** Names of floors and scenarios; null for all. */
  only: string[] | null;
  /** A look of a minute: fails when a figure is far off its target. */
  smoke: boolean;
  /** The same scenarios beside a database with so many messages, a fifth of them scheduled ahead; 0 for none. */
  grownRows: number;
  /** Minutes of the run that watches the memory; 0 for none. */
  memoryMinutes: number;
  /** Messages that are sent, delivered and read, four changes of status each, before tables are sized; 0 for none. */
  bloatMessages: number;
  /** Messages whose bytes of WAL and disk are counted through their lives; 0 for none. */
  bytesMessages: number;
  /** PostgreSQL's work for idle workers beside 10,000 numbers. */
  idle: boolean;
  /** How fast one, two and four workers empty a backlog. */
  workers: boolean;
  /** The same scenarios with two processes of each role. */
  scale: boolean;
  /** CPU profiles of the service's processes; they slow it down. */
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

/** @throws TypeError for what it does not know, RangeError for a number that is none */
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
