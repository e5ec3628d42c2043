import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLAIM_LASTS } from '../../src/outbox/outbox.store.js';
import { eventually } from '../support/eventually.js';
import { Chaos, type ChosenFaults, type Fault } from './chaos.js';
import { databaseFacts, type DatabaseFacts, ledgerDifference, unfinished } from './facts.js';
import { FailPointDeck } from './fail-points.js';
import type { Ground } from './ground.js';
import { Journal } from './journal.js';
import { type EventReport, Listeners } from './listeners.js';
import { type Death, PATIENCE, type Program, type Role, ServiceProcess } from './processes.js';
import { copyProgram } from './program.js';
import { CountingProvider, FATES } from './provider.js';
import { SeededRandom } from './seeded-random.js';
import { environment, introduce, PROVIDER_TIMEOUT, SLOW_ANSWER } from './setup.js';
import { Stream } from './stream.js';
import { judge, type Verdict } from './verdict.js';

export interface FaultOptions extends ChosenFaults {
  seed: number;
  /** Starts the servers of the run in that folder. */
  ground: (folder: string) => Promise<Ground>;
  /** Milliseconds. The run goes on until it has had this time, these faults and messages, and every fail point. */
  duration: number;
  faults: number;
  messages: number;
  /** Messages a second. */
  rate: number;
  /** Seconds of UNKNOWN_OUTCOME_WINDOW, fewer than in production, but more where processes start slowly. */
  window: number;
  /** At most so many passages of the most frequent fail point until a process dies. */
  longestLife: number;
  /** Worker processes; there are two of the API. */
  workers: number;
  /** Whether processes die at fail points: at none, at each in its turn, or still when each has had its turn. */
  failPoints: 'none' | 'each once' | 'endless';
  /** Whether the provider takes some messages in silence; the run then lasts until these are decided. */
  hasSilence: boolean;
}

export interface Report {
  verdict: Verdict;
  facts: DatabaseFacts;
  faults: Fault[];
  deaths: Death[];
  fates: Record<string, number>;
  stream: Stream;
  events: EventReport;
  ledgerLooks: number;
  /** Seconds of UNKNOWN_OUTCOME_WINDOW in the run. */
  window: number;
  /** Seconds from the first message to the end of the last. */
  seconds: number;
  /** The folder of the logs; removed when the verdict is good. */
  folder: string;
}

const API_PROCESSES = 2;

/** How many starts of a process fit into the window of unknown outcomes, so that outages stay well below it. */
const STARTS_IN_WINDOW = 6;

/**
 * Messages a second when there are no more faults, until all earlier ones have ended: the service decides an unknown outcome
 * soon only while it hears receipts of others.
 */
const TRICKLE = 5;

/**
 * Sends a stream of messages through two API processes and some workers while one thing after the other is killed, and
 * says what became of them. The seed repeats the choices, not the timing.
 */
export async function runFaults(options: FaultOptions, progress: (line: string) => void): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'tms-faults-'));
  // Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
  await chmod(folder, 0o711);
  const ends: (() => Promise<void>)[] = [];
  let holds = false;
  try {
    const report = await new Run(options, folder, ends, progress).go();
    holds = report.verdict.holds;
    return report;
  } finally {
    for (const end of ends.toReversed()) await end();
    if (holds) await rm(folder, { recursive: true, force: true });
    else progress(`The logs are in ${folder}`);
  }
}

/** One run: its parts, and its course in `go`. */
class Run {
  private readonly random: SeededRandom;
  private readonly journal = new Journal();
  private readonly deck: FailPointDeck;
  private readonly deaths: Death[] = [];
  private readonly ledgerDifferences: number[] = [];
  private readonly processes: ServiceProcess[] = [];
  private window: number;
  private chaos?: Chaos;
  private isCalm = true;

  constructor(
    private readonly options: FaultOptions,
    private readonly folder: string,
    private readonly ends: (() => Promise<void>)[],
    private readonly progress: (line: string) => void,
  ) {
    this.random = new SeededRandom(options.seed);
    this.window = options.window;
    this.deck = new FailPointDeck(this.random, options.longestLife, options.failPoints === 'endless');
  }

  async go(): Promise<Report> {
    const file = await copyProgram(this.folder);
    this.progress('Starting the servers');
    const ground = this.ending(await this.options.ground(this.folder), (one) => one.stop());
    const provider = this.ending(await this.startProvider(), (one) => one.stop());
    const env = environment(this.folder, provider.url);
    const client = await introduce({ ...env, ...ground.environmentOf('admin') });
    this.isCalm = false;
    this.progress('Starting the processes');
    await this.startProcesses(file, env, ground);
    this.progress('Sending');
    const stream = new Stream(this.journal, this.random, {
      ...client,
      targets: this.targets,
      rate: this.options.rate,
    });
    const listeners = this.ending(
      await Listeners.start(this.journal, this.targets, client.apiKey, this.options.seed),
      (one) => one.stop(),
    );
    const chaos = this.makeChaos(ground);
    const start = Date.now();
    stream.start();
    await chaos.run(() => this.isEnough(start, stream, chaos));
    this.isCalm = true;
    this.progress('No more faults; waiting for the end of each message');
    await this.untilFinished(ground.databaseUrl, stream, provider);
    const events = await listeners.judge(ground.databaseUrl);
    this.ledgerDifferences.push(await ledgerDifference(ground.databaseUrl));
    const facts = await databaseFacts(ground.databaseUrl);
    const { deaths, ledgerDifferences, window } = this;
    return {
      verdict: judge(this.journal, facts, { deaths, ledgerDifferences, window, further: events.violations }),
      facts,
      events,
      faults: chaos.faults,
      deaths,
      fates: provider.fates,
      stream,
      ledgerLooks: ledgerDifferences.length,
      window: this.window,
      seconds: (Date.now() - start) / 1000,
      folder: this.folder,
    };
  }

  private ending<Part>(part: Part, end: (part: Part) => Promise<void>): Part {
    this.ends.push(() => end(part));
    return part;
  }

  private readonly targets = () =>
    this.processes.flatMap(({ role, name, url }) => (role === 'api' && url ? [{ name, url }] : []));

  private startProvider(): Promise<CountingProvider> {
    const targets = () => this.targets().map(({ url }) => url);
    return CountingProvider.start(this.journal, this.random, {
      slowAnswer: SLOW_ANSWER,
      targets,
      likelihoods: this.options.hasSilence ? FATES : { ...FATES, 'taken, answer and receipts suppressed': 0 },
    });
  }

  private makeChaos({ actions, databaseUrl }: Ground): Chaos {
    const onFault = (fault: Fault) => this.lookAtLedger(databaseUrl, fault);
    const { journal, random, processes, options } = this;
    this.chaos = new Chaos(processes, journal, random, options, actions, onFault);
    return this.chaos;
  }

  /**
   * Starts the API processes first: their time to start decides how long workers wait for receipts, where processes die
   * on their own.
   */
  private async startProcesses(file: string, env: Record<string, string>, ground: Ground): Promise<void> {
    const start = Date.now();
    const environmentOf = (name: string) => ground.environmentOf(name);
    const program: Program = { file, folder: this.folder, env, environmentOf };
    await this.startAll('api', API_PROCESSES, program);
    const slowness = (STARTS_IN_WINDOW * (Date.now() - start)) / 1000;
    if (this.options.failPoints !== 'none') this.window = Math.max(this.window, Math.ceil(slowness));
    env['UNKNOWN_OUTCOME_WINDOW'] = String(this.window);
    await this.startAll('worker', this.options.workers, program);
  }

  private async startAll(role: Role, count: number, program: Program): Promise<void> {
    const draw = () => (this.isCalm || this.options.failPoints === 'none' ? null : this.deck.draw(role));
    const onDeath = (death: Death) => {
      this.deaths.push(death);
      this.deck.note(death);
      this.chaos?.note(death);
    };
    const started = Array.from(
      { length: count },
      (_, i) => new ServiceProcess(`${role}-${i + 1}`, role, program, draw, onDeath),
    );
    for (const process of started) this.processes.push(this.ending(process, (one) => one.end()));
    for (const process of started) process.start();
    for (const process of started) await process.untilReady();
  }

  private isEnough(start: number, stream: Stream, chaos: Chaos): boolean {
    const { duration, faults, messages, failPoints } = this.options;
    const isLong = Date.now() - start >= duration;
    const hasAllDeaths = failPoints === 'none' || this.deck.left.length === 0;
    return isLong && chaos.faults.length >= faults && stream.begun >= messages && hasAllDeaths;
  }

  /** Checks after a recovery that the ledger balances, unless PostgreSQL has been killed again meanwhile. */
  private async lookAtLedger(url: string, fault: Fault): Promise<void> {
    const seconds = ((fault.recovery ?? 0) / 1000).toFixed(1);
    this.progress(`${fault.kind}: overcome in ${seconds} s; ${this.journal.accepted.size} messages accepted`);
    const difference = await ledgerDifference(url).catch(() => null);
    if (difference !== null) this.ledgerDifferences.push(difference);
  }

  /** Waits until everything has ended by itself: no message is due, no receipt under way, no delivery unapplied. */
  private async untilFinished(url: string, stream: Stream, provider: CountingProvider): Promise<void> {
    provider.calm();
    stream.slowDown(TRICKLE);
    const last = this.journal.lastAccepted;
    await this.untilNothing(async () => ({ messages: (await unfinished(url, last)).messages }));
    await stream.stop();
    await this.untilNothing(async () => ({ ...(await unfinished(url)), receipts: provider.receiptsWaiting }));
  }

  private async untilNothing(count: () => Promise<Record<string, number>>): Promise<void> {
    const lease = CLAIM_LASTS + 2 * PROVIDER_TIMEOUT + this.window * 1000;
    const check = async () => {
      const left = await count();
      if (Object.values(left).some((one) => one > 0))
        throw new Error(`Not at its end: ${JSON.stringify(left)}`);
    };
    // The verdict reports what has not ended, with everything else.
    await eventually(check, { patience: PATIENCE + lease, interval: 250 }).catch((error: Error) =>
      this.progress(error.message),
    );
  }
}
