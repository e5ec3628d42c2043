import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { COMMIT_SOMETHING, Database, type Statement } from '../database/database.js';
import { Reads } from '../database/reads.js';

/** A position that was drawn already, and the first transaction that had no id yet when it was. */
interface Mark {
  position: number;
  before: number;
}

/** Milliseconds that one who reads waits at most for transactions under way; they take a few, as a rule. */
const PATIENCE = 500;

/** Milliseconds between two looks while somebody waits for them. */
const PAUSE = 15;

/** Marks that are kept at most while one transaction takes long: with each, the stream goes on a little earlier. */
const MOST_MARKS = 50;

/**
 * Tells up to which position the stream is complete: each position up to there is of a committed entry that everybody sees
 * from now on, or will never be of any. A transaction that draws a position may take long to commit, while later ones are
 * committed: who read on past it would never see what it tells.
 *
 * A transaction has its id before it draws a position (`next_event_position`). So whoever has drawn one up to the last has
 * an id below the next that is given out, if that is looked up afterwards. When the oldest transaction that
 * runs has this id or a later one, all of these have ended. What is under way is looked at by ids alone, so any long
 * transaction that writes holds the stream up, though nothing is lost by it.
 */
@Injectable()
export class EventHorizon {
  private readonly marks: Mark[] = [];
  private reached = 0;
  private drawn = 0;
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;

  constructor(
    private readonly reads: Reads,
    private readonly database: Database,
  ) {}

  /**
   * The position up to which the stream is complete, with all that had been committed before the call. While a transaction
   * takes long, the one that was reached before it, after half a second.
   */
  async reach(): Promise<number> {
    await this.reachEnd(PATIENCE);
    return this.reached;
  }

  /**
   * A position up to which the stream is complete, with all that had been committed before the call.
   * @param patience milliseconds
   * @returns null when transactions under way have taken longer
   */
  async reachEnd(patience: number): Promise<number | null> {
    const end = performance.now() + patience;
    const wanted = await this.look();
    while (this.reached < wanted && performance.now() < end) {
      await delay(PAUSE);
      await this.look();
    }
    return this.reached < wanted ? null : this.reached;
  }

  /** The position that was reached by the last look, of whomever. */
  get position(): number {
    return this.reached;
  }

  /** The last position that had been drawn by then. */
  get last(): number {
    return this.drawn;
  }

  /**
   * The last position that has been drawn, from a server that is not replaced: one with synchronous standbys answers only
   * when they follow it. A server that was replaced and does not know it yet waits for them, and knows no later positions.
   */
  async confirmedLast(): Promise<number> {
    const [drawn] = await this.database.run<{ last: number }>(CONFIRMED_LAST);
    if (!drawn) throw new Error('PostgreSQL does not tell its positions');
    return drawn.last;
  }

  /**
   * Looks once, together with all who ask before it begins.
   * @returns the last position that had been drawn, whether or not it is reached
   */
  look(): Promise<number> {
    // What is under way may have begun before something that its caller has seen.
    this.next ??= (this.running ?? Promise.resolve(0))
      .catch(() => 0)
      .then(() => {
        this.next = undefined;
        this.running = this.lookOnce().finally(() => (this.running = undefined));
        return this.running;
      });
    return this.next;
  }

  /** In two statements, one after the other: the order is what counts. */
  private async lookOnce(): Promise<number> {
    const [drawn] = await this.reads.run<{ last: number }>(LAST_POSITION);
    const [ids] = await this.reads.run<{ oldest: number; next: number }>(TRANSACTIONS);
    if (!drawn || !ids) throw new Error('PostgreSQL does not tell its positions');
    if (drawn.last < this.drawn) this.forget(); // another server, or a backup of this one
    this.drawn = drawn.last;
    this.mark({ position: drawn.last, before: ids.next });
    while (this.marks[0] && this.marks[0].before <= ids.oldest)
      this.reached = (this.marks.shift() as Mark).position;
    return drawn.last;
  }

  private mark(mark: Mark): void {
    if (mark.position === (this.marks.at(-1)?.position ?? this.reached)) return;
    if (this.marks.length === MOST_MARKS) this.marks.pop();
    this.marks.push(mark);
  }

  private forget(): void {
    this.marks.length = 0;
    this.reached = 0;
  }
}

const LAST = 'CASE WHEN is_called THEN last_value ELSE 0 END AS last';

const LAST_POSITION: Statement = {
  name: 'events_last_position',
  text: `SELECT ${LAST} FROM event_stream_id_seq`,
};

/** It commits something after it has read, and such a commit waits for the standbys. */
const CONFIRMED_LAST: Statement = {
  name: 'events_confirmed_last_position',
  text: `SELECT ${LAST}, ${COMMIT_SOMETHING} FROM event_stream_id_seq`,
};

/**
 * The oldest transaction that runs, and the next id. Not `pg_snapshot_xmax` for the latter: that is the id after the
 * last transaction that has ended, and those under way may have later ones. `age` counts up to the next id.
 */
const TRANSACTIONS: Statement = {
  name: 'events_transactions',
  text: `
    SELECT pg_snapshot_xmin(s)::text::bigint AS oldest,
      pg_snapshot_xmax(s)::text::bigint + age(pg_snapshot_xmax(s)::xid) AS next
    FROM pg_current_snapshot() s`,
};
