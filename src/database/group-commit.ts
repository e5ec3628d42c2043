import { NoAnswerError } from './bounded-client.js';
import { isDatabaseUnavailable, isRaceLost, QueueFullError } from './database-errors.js';

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions<Item, Result> {
  /**
   * Commits all items in one statement and answers in their order. If an answer is still a promise, only its item waits
   * for it: the next commit goes ahead.
   */
  commit: (items: Item[]) => Promise<(Result | Promise<Result>)[]>;
  /** Items in one commit at most. */
  maxBatch: number;
  /** Commits under way at the same time at most. */
  concurrency?: number;
  /** Milliseconds. After a commit that took longer, all waiting items are refused, as they would wait as long again. */
  patience?: number;
  /**
   * The most that may wait, as a sum of weights. Further items are refused, so that a slow database does not fill the
   * memory. Leave it out only where something else bounds what waits.
   */
  mostWaiting?: number;
  /** The weight of an item in `mostWaiting`; 1 if not given. */
  weightOf?: (item: Item) => number;
}

/**
 * Lets items that arrive while a commit is under way share the next one. There is no timer: a single item is committed
 * at once. The more items arrive, the larger the batches, so that many items share the cost of a durable commit.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  /** The sum over all items that wait. */
  private weight = 0;
  private running = 0;
  private readonly idle: (() => void)[] = [];

  constructor(private readonly options: GroupCommitOptions<Item, Result>) {}

  /**
   * Resolves when the item is committed; rejects when its own commit failed.
   * @throws QueueFullError when too much is waiting
   */
  submit(item: Item): Promise<Result> {
    const { mostWaiting = Infinity, weightOf = () => 1 } = this.options;
    const weight = weightOf(item);
    // When nothing waits, an item is taken whatever it weighs.
    if (this.waiting.length > 0 && this.weight + weight > mostWaiting)
      return Promise.reject(new QueueFullError());
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject });
      this.weight += weight;
      // In the next turn of the event loop, so that all items of this turn go together.
      if (this.waiting.length === 1) setImmediate(() => this.start());
    });
  }

  /** Resolves when nothing is waiting or under way. */
  async drained(): Promise<void> {
    if (this.running === 0 && this.waiting.length === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private start(): void {
    while (this.waiting.length > 0 && this.running < (this.options.concurrency ?? 1)) {
      const batch = this.take(this.options.maxBatch);
      this.running += 1;
      const startedAt = performance.now();
      void this.settle(batch).finally(() => {
        this.running -= 1;
        this.refuseBehind(performance.now() - startedAt);
        this.start();
        if (this.running === 0 && this.waiting.length === 0)
          for (const resolve of this.idle.splice(0)) resolve();
      });
    }
  }

  private take(count: number): Waiting<Item, Result>[] {
    const taken = this.waiting.splice(0, count);
    for (const { weight } of taken) this.weight -= weight;
    return taken;
  }

  /** @param duration of a commit, in milliseconds */
  private refuseBehind(duration: number): void {
    const { patience = Infinity } = this.options;
    if (duration <= patience) return;
    for (const entry of this.take(this.waiting.length)) entry.reject(new NoAnswerError(patience));
  }

  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.commit(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index] as Result | Promise<Result>));
    } catch (error) {
      await this.settleFailed(batch, error);
    }
  }

  /** One faulty item must not fail the others of its commit, so each half is tried by itself. */
  private async settleFailed(batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (isRaceLost(error)) return this.settle(batch);
    if (batch.length === 1 || isDatabaseUnavailable(error)) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.settle(batch.slice(0, middle));
    await this.settle(batch.slice(middle));
  }
}
