import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { BreakableProxy } from '../support/breakable-proxy.js';
import type { Journal } from './journal.js';
import { type Death, PATIENCE, type Role, type ServiceProcess } from './processes.js';
import type { SeededRandom } from './seeded-random.js';
import type { CrashableServer } from './servers.js';

type ServerName = 'postgres' | 'redis';

/** The processes and servers that can be killed, paused and cut off. */
export interface Victims {
  processes: ServiceProcess[];
  postgres: CrashableServer;
  redis: CrashableServer;
  /** The proxies through which the processes reach the servers. */
  proxies: Record<ServerName, BreakableProxy>;
}

/** The shortest and the longest time that a fault lasts, in milliseconds. */
export type Span = readonly [shortest: number, longest: number];

/** The kinds of faults that last; null leaves a kind out. */
export interface LastingFaults {
  /** A process stands still, as when its machine is frozen, while other faults go on. */
  pauses: Span | null;
  /** Nothing comes through to a server or from it, as when a network drops packets. */
  silences: Span | null;
}

export interface Fault {
  kind: string;
  /** Milliseconds from the fault to the first message that was accepted and sent after it; null while there is none. */
  recovery: number | null;
}

/** Causes a fault, calls `happened` at its moment, and resolves when all is back that does not return by itself. */
type Action = (victims: Victims, random: SeededRandom, happened: () => void) => Promise<void>;
type Actions = Readonly<Record<string, Action>>;

const those = ({ processes }: Victims, role: Role) => processes.filter((process) => process.role === role);

const killOne =
  (role: Role): Action =>
  async (victims, random, happened) => {
    random.pick(those(victims, role)).kill();
    happened();
  };

const killAll =
  (role: Role): Action =>
  async (victims, _random, happened) => {
    for (const process of those(victims, role)) process.kill();
    happened();
  };

const stopOne =
  (role: Role): Action =>
  async (victims, random, happened) => {
    await random.pick(those(victims, role)).terminate();
    happened();
  };

const crash =
  (server: ServerName): Action =>
  async (victims, _random, happened) => {
    happened();
    await victims[server].crash();
    await victims[server].restart();
  };

const flushRedis: Action = async ({ redis: { url } }, _random, happened) => {
  const client = new Redis(url);
  try {
    await client.flushall();
    happened();
  } finally {
    client.disconnect();
  }
};

const cutPower: Action = async ({ processes, postgres, redis }, _random, happened) => {
  happened();
  for (const process of processes) process.kill();
  await Promise.all([postgres.crash(), redis.crash()]);
  await Promise.all([postgres.restart(), redis.restart()]);
};

const silence =
  (server: ServerName, which: 'all' | 'open', [shortest, longest]: Span): Action =>
  async ({ proxies }, random, happened) => {
    proxies[server].silence(which);
    happened();
    await delay(random.between(shortest, longest));
    proxies[server].speak();
  };

const ACTIONS: Actions = {
  'one API killed': killOne('api'),
  'one worker killed': killOne('worker'),
  'all APIs killed': killAll('api'),
  'all workers killed': killAll('worker'),
  'one API stopped': stopOne('api'),
  'one worker stopped': stopOne('worker'),
  'Redis flushed': flushRedis,
  'Redis killed': crash('redis'),
  'PostgreSQL shut down at once': crash('postgres'),
  'all of it killed': cutPower,
};

const silencesOf = (span: Span): Actions => ({
  'PostgreSQL silent': silence('postgres', 'all', span),
  'PostgreSQL silent on old connections': silence('postgres', 'open', span),
  'Redis silent': silence('redis', 'all', span),
  'Redis silent on old connections': silence('redis', 'open', span),
});

/** The most milliseconds between a recovery and the next fault: some faults come while processes are still starting. */
const PAUSE = 1_000;

/** Causes one fault after the other, of every kind in turn, and measures how long the recovery from each takes. */
export class Chaos {
  readonly faults: Fault[] = [];
  private readonly actions: Actions;
  /** The pauses of processes that stand still now. */
  private readonly pauses = new Set<Promise<void>>();

  constructor(
    private readonly victims: Victims,
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    { pauses, silences }: LastingFaults,
    private readonly onFault: (fault: Fault) => Promise<void>,
  ) {
    this.actions = {
      ...ACTIONS,
      ...(pauses && {
        'one API paused': this.pauseOne('api', pauses),
        'one worker paused': this.pauseOne('worker', pauses),
      }),
      ...(silences && silencesOf(silences)),
    };
  }

  /** Goes on until every kind of fault has had its turn and `isEnough`. */
  async run(isEnough: () => boolean): Promise<void> {
    const kinds = Object.keys(this.actions);
    let turns: string[] = [];
    for (let count = 0; count < kinds.length || !isEnough(); count += 1) {
      if (turns.length === 0) turns = this.random.shuffled(kinds);
      await this.cause(turns.shift() as string);
      await delay(this.random.between(0, PAUSE));
    }
    await Promise.all(this.pauses);
  }

  /** A death at a fail point is a fault too, though not caused here. */
  note({ kind, failPoint }: Death): void {
    if (kind === 'fail point') void this.observe(`died ${failPoint?.split(':')[0]}`);
  }

  private async cause(kind: string): Promise<void> {
    let overcome: Promise<void> | undefined;
    await this.actions[kind]?.(this.victims, this.random, () => (overcome = this.observe(kind)));
    const late = new AbortController();
    const tooLate = delay(PATIENCE, undefined, { signal: late.signal }).then(
      () => Promise.reject(new Error(`Nothing was sent for ${PATIENCE / 1000} s after: ${kind}`)),
      () => undefined,
    );
    await Promise.race([overcome, tooLate]);
    late.abort();
  }

  private pauseOne(role: Role, [shortest, longest]: Span): Action {
    return async (victims, random, happened) => {
      const process = random.pick(those(victims, role));
      process.pause();
      happened();
      const pause = delay(random.between(shortest, longest)).then(() => process.resume());
      this.pauses.add(pause);
      void pause.then(() => this.pauses.delete(pause));
    };
  }

  private async observe(kind: string): Promise<void> {
    const at = Date.now();
    const fault: Fault = { kind, recovery: null };
    this.faults.push(fault);
    fault.recovery = (await this.journal.nextSuccess(at)) - at;
    await this.onFault(fault);
  }
}
