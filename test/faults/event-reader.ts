import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedEvent } from '../support/event-receiver.js';
import type { Journal } from './journal.js';
import { SeededRandom } from './seeded-random.js';
import type { Target } from './stream.js';
import { type ToldEvent, toldBy } from './told-event.js';

export interface ReaderOptions {
  name: string;
  seed: number;
  targets: () => Target[];
  apiKey: string;
  /** The part of its pages after which it dies before it has kept them, and begins again at the cursor that it has. */
  restarts: number;
  /** Events on a page at most. */
  limit: number;
}

interface Page {
  data: ReceivedEvent[];
  next_cursor: string;
}

/** Seconds of `wait`, so that a reader soon asks another process. */
const WAIT = 2;

/** Milliseconds for an answer, and after a request without one. */
const PATIENCE = 10_000;
const PAUSE = 200;

/** Pulls the stream of events from whichever process answers. What it keeps of a page, it keeps together with the cursor. */
export class EventReader {
  readonly seen: ToldEvent[] = [];
  /** How often it began again at the cursor that it had kept. */
  restarts = 0;
  private cursor: string | null = null;
  /** What it had read, but not kept, when it died. */
  private lost: ToldEvent[] = [];
  private readonly random: SeededRandom;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly options: ReaderOptions,
    private readonly journal: Journal,
  ) {
    this.random = new SeededRandom(options.seed);
  }

  get name(): string {
    return this.options.name;
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const page = await this.pull();
      if (page) this.take(page);
      else await delay(PAUSE);
    }
  }

  private take({ data, next_cursor }: Page): void {
    const events = data.map(toldBy);
    this.compareWithLost(events);
    if (events.length > 0 && this.random.chance(this.options.restarts)) {
      this.restarts += 1;
      this.lost = events;
      return;
    }
    this.lost = [];
    // The cursor of an event serves as well as that of the page.
    const last = this.random.chance(0.5) ? this.random.between(1, events.length) - 1 : -1;
    this.seen.push(...(data[last] ? events.slice(0, last + 1) : events));
    this.cursor = data[last]?.cursor ?? next_cursor;
  }

  private compareWithLost(events: ToldEvent[]): void {
    const both = Math.min(events.length, this.lost.length);
    const [before, again] = [this.lost, events].map((some) => JSON.stringify(some.slice(0, both)));
    if (before !== again)
      this.journal.surprises.push(`${this.name} at ${this.cursor}: ${before}, then ${again}`);
  }

  private async pull(): Promise<Page | null> {
    const targets = this.options.targets();
    if (targets.length === 0) return null;
    const { url } = this.random.pick(targets);
    const after = this.cursor === null ? '' : `&after=${this.cursor}`;
    const limit = this.random.between(1, this.options.limit);
    const headers = { Authorization: `Bearer ${this.options.apiKey}` };
    const request = {
      headers,
      signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(PATIENCE)]),
    };
    try {
      const response = await fetch(`${url}/api/v1/events?wait=${WAIT}&limit=${limit}${after}`, request);
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text) as Page;
      if (response.status !== 503) this.journal.surprises.push(`${this.name}: ${response.status} ${text}`);
    } catch {
      return null; // the process has died, or the answer was lost
    }
    return null;
  }
}
