import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Journal } from './journal.js';
import { type Death, PATIENCE, type Role, type ServiceProcess } from './processes.js';
import type { SeededRandom } from './seeded-random.js';
import type { CrashableServer } from './servers.js';

/** What can be killed. */
export interface Victims {
  processes: ServiceProcess[];
  postgres: CrashableServer;
  redis: CrashableServer;
}

export interface Fault {
  kind: string;
  /** Milliseconds from then to the next message that was sent as if nothing had been; null while there is none. */
  recovery: number | null;
}

/** Calls `happened` at the moment of the fault, and resolves when what does not come back by itself is back. */
type Action = (victims: Victims, random: SeededRandom, happened: () => void) => Promise<void>;

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
  (server: 'postgres' | 'redis'): Action =>
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

const ACTIONS: Readonly<Record<string, Action>> = {
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

/** Milliseconds between a recovery and the next fault at most: some come while things are still starting. */
const PAUSE = 1_000;

/** Breaks one thing after the other, every kind in turn, and measures how long each takes to be overcome. */
export class Chaos {
  readonly faults: Fault[] = [];

  constructor(
    private readonly victims: Victims,
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    private readonly onFault: (fault: Fault) => Promise<void>,
  ) {}

  /** Goes on until every kind has had its turn and there has been enough. */
  async run(isEnough: () => boolean): Promise<void> {
    const kinds = Object.keys(ACTIONS);
    let turns: string[] = [];
    for (let count = 0; count < kinds.length || !isEnough(); count += 1) {
      if (turns.length === 0) turns = this.random.shuffled(kinds);
      await this.cause(turns.shift() as string);
      await delay(this.random.between(0, PAUSE));
    }
  }

  /** A death at a fail point is a fault that nobody here has caused. */
  note({ kind, failPoint }: Death): void {
    if (kind === 'fail point') void this.observe(`died ${failPoint?.split(':')[0]}`);
  }

  private async cause(kind: string): Promise<void> {
    let overcome: Promise<void> | undefined;
    await ACTIONS[kind]?.(this.victims, this.random, () => (overcome = this.observe(kind)));
    const late = new AbortController();
    const tooLate = delay(PATIENCE, undefined, { signal: late.signal }).then(
      () => Promise.reject(new Error(`Nothing was sent for ${PATIENCE / 1000} s after: ${kind}`)),
      () => undefined,
    );
    await Promise.race([overcome, tooLate]);
    late.abort();
  }

  private async observe(kind: string): Promise<void> {
    const at = Date.now();
    const fault: Fault = { kind, recovery: null };
    this.faults.push(fault);
    fault.recovery = (await this.journal.nextSuccess(at)) - at;
    await this.onFault(fault);
  }
}
