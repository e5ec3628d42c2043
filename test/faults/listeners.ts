import { eventually } from '../support/eventually.js';
import { EventEndpoint } from './event-endpoint.js';
import { EventReader, type ReaderOptions } from './event-reader.js';
import { judgeEvents } from './event-verdict.js';
import { eventFacts } from './facts.js';
import type { Journal } from './journal.js';
import { PATIENCE } from './processes.js';
import type { Target } from './stream.js';
import type { Violation } from './violation.js';

/** What came of the stream of events in a run. */
export interface EventReport {
  violations: Violation[];
  /** Events in the stream. */
  told: number;
  /** How often a reader began again at the cursor that it had kept. */
  restarts: number;
  /** Events that the webhook endpoint got again. */
  repeated: number;
}

/** All who follow the stream of events during a run: two readers, one of whom dies now and then, and a webhook endpoint. */
export class Listeners {
  private readonly readers: EventReader[];

  private constructor(
    private readonly endpoint: EventEndpoint,
    private readonly common: Pick<ReaderOptions, 'targets' | 'apiKey' | 'seed'>,
    private readonly journal: Journal,
  ) {
    this.readers = [
      this.reader('a reader', { restarts: 0, limit: 1_000 }),
      this.reader('a reader that restarts', { restarts: 0.2, limit: 100 }),
    ];
  }

  /** Begins to follow before anything is told. */
  static async start(
    journal: Journal,
    targets: () => Target[],
    apiKey: string,
    seed: number,
  ): Promise<Listeners> {
    const endpoint = await EventEndpoint.start(targets, apiKey, seed);
    const listeners = new Listeners(endpoint, { targets, apiKey, seed }, journal);
    for (const reader of listeners.readers) reader.start();
    return listeners;
  }

  /** Compares what has come to everybody with what PostgreSQL has, when nothing more happens to any message. */
  async judge(databaseUrl: string): Promise<EventReport> {
    const facts = await eventFacts(databaseUrl);
    const late = this.reader('a reader that came late', { restarts: 0, limit: 1_000 });
    late.start();
    this.readers.push(late);
    await this.endpoint.calm();
    const listeners = [...this.readers, this.endpoint];
    const check = () => {
      for (const { name, seen } of listeners)
        if (seen.length < facts.told.length)
          throw new Error(`${seen.length} of ${facts.told.length} events have come to ${name}`);
    };
    // The verdict reports what has not come, with everything else.
    await eventually(check, { patience: PATIENCE, interval: 100 }).catch(() => undefined);
    await this.stopReading();
    return {
      violations: judgeEvents(facts, listeners),
      told: facts.told.length,
      restarts: this.readers.reduce((sum, { restarts }) => sum + restarts, 0),
      repeated: this.endpoint.repeated,
    };
  }

  async stop(): Promise<void> {
    await this.stopReading();
    await this.endpoint.stop();
  }

  private async stopReading(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.stop()));
  }

  private reader(name: string, habits: Pick<ReaderOptions, 'restarts' | 'limit'>): EventReader {
    return new EventReader({ ...this.common, ...habits, name }, this.journal);
  }
}
