import { setTimeout as delay } from 'node:timers/promises';
import type { Journal } from './journal.js';
import { type Death, PATIENCE, type Role, type ServiceProcess } from './processes.js';
import type { SeededRandom } from './seeded-random.js';

/** The shortest and the longest time that a fault lasts, in milliseconds. */
export type Span = readonly [shortest: number, longest: number];

export interface ChosenFaults {
  /** A process stands still for so long, as when its machine is frozen, while other faults go on; null for none. */
  pauses: Span | null;
  /** Only these, if given. */
  kinds?: string[];
}

export interface Fault {
  kind: string;
  /** Milliseconds from the fault to the first message that was accepted and sent after it; null while there is none. */
  recovery: number | null;
  /** Milliseconds from the moment at which the server was replaced, or back, to the first message as above. */
  nextSent: number | null;
  /** Milliseconds from the same moment until every API had accepted such a message. */
  sinceTakeover: number | null;
}

/** The moments of a fault, told by whoever causes it. */
export interface Moments {
  happened(): void;
  /** Another server has taken over the place of one that is out, or it is back itself. */
  tookOver(): void;
}

/** The processes of the service, which can be killed and paused. */
export type Processes = readonly ServiceProcess[];

/** Causes a fault, tells its moments, and resolves when all is back that does not return by itself. */
export type Action = (processes: Processes, random: SeededRandom, moments: Moments) => Promise<void>;
export type Actions = Readonly<Record<string, Action>>;

const those = (processes: Processes, role: Role) => processes.filter((process) => process.role === role);

const killOne =
  (role: Role): Action =>
  async (processes, random, { happened }) => {
    random.pick(those(processes, role)).kill();
    happened();
  };

const killAll =
  (role: Role): Action =>
  async (processes, _random, { happened }) => {
    for (const process of those(processes, role)) process.kill();
    happened();
  };

const stopOne =
  (role: Role): Action =>
  async (processes, random, { happened }) => {
    await random.pick(those(processes, role)).terminate();
    happened();
  };

/** The faults of the processes themselves. */
const ACTIONS: Actions = {
  'one API killed': killOne('api'),
  'one worker killed': killOne('worker'),
  'all APIs killed': killAll('api'),
  'all workers killed': killAll('worker'),
  'one API stopped': stopOne('api'),
  'one worker stopped': stopOne('worker'),
};

/** The most milliseconds between a recovery and the next fault: some faults come while processes are still starting. */
const PAUSE = 1_000;

/** Causes one fault after the other, of every kind in turn, and measures how long the recovery from each takes. */
export class Chaos {
  readonly faults: Fault[] = [];
  private readonly actions: Actions;
  /** The pauses of processes that stand still now. */
  private readonly pauses = new Set<Promise<void>>();

  constructor(
    private readonly processes: Processes,
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    { pauses, kinds }: ChosenFaults,
    /** The faults of what the processes stand on. */
    ofServers: Actions,
    private readonly onFault: (fault: Fault) => Promise<void>,
  ) {
    const all = {
      ...ACTIONS,
      ...(pauses && {
        'one API paused': this.pauseOne('api', pauses),
        'one worker paused': this.pauseOne('worker', pauses),
      }),
      ...ofServers,
    };
    this.actions = Object.fromEntries(Object.entries(all).filter(([kind]) => kinds?.includes(kind) ?? true));
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
    if (kind !== 'fail point') return;
    const fault: Fault = {
      kind: `died ${failPoint?.split(':')[0]}`,
      recovery: null,
      nextSent: null,
      sinceTakeover: null,
    };
    void this.observe(fault).then(() => this.onFault(fault));
  }

  private async cause(kind: string): Promise<void> {
    const fault: Fault = { kind, recovery: null, nextSent: null, sinceTakeover: null };
    const overcome: Promise<void>[] = [];
    await this.actions[kind]?.(this.processes, this.random, {
      happened: () => overcome.push(this.observe(fault)),
      tookOver: () => overcome.push(this.observeTakeover(fault)),
    });
    const late = new AbortController();
    const tooLate = delay(PATIENCE, undefined, { signal: late.signal }).then(
      () => Promise.reject(new Error(`Nothing was sent for ${PATIENCE / 1000} s after: ${kind}`)),
      () => undefined,
    );
    await Promise.race([Promise.all(overcome), tooLate]);
    late.abort();
    await this.onFault(fault);
  }

  private pauseOne(role: Role, [shortest, longest]: Span): Action {
    return async (processes, random, { happened }) => {
      const process = random.pick(those(processes, role));
      process.pause();
      happened();
      const pause = delay(random.between(shortest, longest)).then(() => process.resume());
      this.pauses.add(pause);
      void pause.then(() => this.pauses.delete(pause));
    };
  }

  private async observe(fault: Fault): Promise<void> {
    const at = Date.now();
    this.faults.push(fault);
    fault.recovery = (await this.journal.nextSuccess(at)) - at;
  }

  /** Each API by itself, as each has its own connections, and may have its own way to the servers. */
  private async observeTakeover(fault: Fault): Promise<void> {
    const at = Date.now();
    const next = this.journal.nextSuccess(at).then((time) => (fault.nextSent = time - at));
    const apis = those(this.processes, 'api').map(({ name }) => this.journal.nextSuccess(at, name));
    fault.sinceTakeover = Math.max(...(await Promise.all(apis))) - at;
    await next;
  }
}
