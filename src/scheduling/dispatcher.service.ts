import { InjectQueue } from '@nestjs/bull';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Queue } from 'bull';
import { failPoint } from '../common/fail-point.js';
import { DELIVERY_QUEUE, type DeliveryJob, MAX_PERMITS } from '../delivery/delivery.queue.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { InFlight } from '../delivery/in-flight.js';
import { NumberRateLimiter } from '../delivery/rates/number-rate-limiter.js';
import { type DueNumber, DueNumbersStore } from './due-numbers.store.js';
import { DueWatchService, PACE } from './due-watch.service.js';
import { RestingNumbers } from './resting-numbers.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';

/** Permits for one number in one round: the numbers take turns. */
const ROUND = 100;

/** Milliseconds until a number gets another turn after one that failed: Redis or PostgreSQL is out. */
const RETRY_PAUSE = 1_000;

/** Permits that may lie in the queue before it issues more: enough to keep workers busy, few enough to be fresh. */
const MAX_QUEUED = 32;

/** Numbers that this worker has no room for and that get permits in a round all the same: others may have room. */
const FOR_OTHERS = 4;

/**
 * Decides which numbers may send now, and issues permits for as many messages as are due and as the number's rate
 * allows. Woken by {@link DueWatchService}. Every worker has one, each for the numbers of its own shards; that two have the same
 * number for a moment harms nothing: a permit that finds nothing to send returns its tokens.
 *
 * A number that has more to send than was allowed gets its next turn after {@link PACE}: so long that a permit is for
 * several messages (50 at the highest rate), so short that the bucket does not run over meanwhile.
 *
 * Permits are used by any worker. How many one issues for a number goes by its own room, as that of the others is about
 * the same; where it is not, as this one has just started or is slow, some numbers of each round get as many as if it had.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DispatcherService.name);
  /** Numbers that may have due messages. */
  private readonly active = new Set<number>();
  private readonly resting = new RestingNumbers((ids) => this.wake(ids));
  private running?: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private troubled = false;
  /** Numbers whose last turn failed. */
  private readonly faulty = new Set<number>();

  constructor(
    @InjectQueue(DELIVERY_QUEUE) private readonly queue: Queue<DeliveryJob>,
    private readonly numbers: DueNumbersStore,
    private readonly rate: NumberRateLimiter,
    private readonly holds: HoldsService,
    private readonly inFlight: InFlight,
    private readonly watch: DueWatchService,
    private readonly leases: ShardLeasesService,
  ) {}

  onApplicationBootstrap(): void {
    this.watch.start((ids) => this.wake(ids));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.resting.stop();
    await this.running;
    await this.watch.stop();
  }

  /** Looks at those of these numbers now that are this worker's to dispatch. */
  wake(messagingAccountIds: number[]): void {
    for (const id of messagingAccountIds)
      if (this.leases.holds(id) && !this.resting.has(id)) this.active.add(id);
    if (this.active.size === 0) return;
    this.again = true;
    if (this.stopped || this.running) return;
    this.running = this.work().finally(() => (this.running = undefined));
  }

  private async work(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      const ids = [...this.active].filter((id) => this.leases.holds(id)); // the lease may have ended meanwhile
      this.active.clear();
      try {
        await this.round(ids);
        this.report(null);
      } catch (error) {
        this.report(error);
        this.rest(ids, RETRY_PAUSE);
      }
    }
  }

  /** One turn for each active number; those that still have due messages get another after the pace. */
  private async round(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    if ((await this.queue.getWaitingCount()) >= MAX_QUEUED) return this.rest(ids);
    const rooms = this.roomsOf(ids);
    this.rest(ids.filter((id) => !rooms.has(id)));
    if (rooms.size === 0) return;
    const numbers = await this.numbers.among([...rooms.keys()], ROUND + 1); // one more tells that the number has more
    for (const { id, next_due_at } of numbers) if (next_due_at) this.watch.awaitDue(id, next_due_at);
    const due = numbers.filter((number) => number.due > 0);
    const turns = await Promise.allSettled(
      due.map((number) => this.issue(number, rooms.get(number.id) ?? 0)),
    );
    const jobs = turns.flatMap((turn) => (turn.status === 'fulfilled' ? turn.value : []));
    const failed = this.failedOf(due, turns);
    this.rest(failed, RETRY_PAUSE);
    const more = due.filter(({ id, due: count }) => !failed.includes(id) && count > permitsOf(jobs, id));
    this.rest(more.map(({ id }) => id));
    if (jobs.length === 0) return;
    failPoint('after-tokens');
    const added = await this.queue.addBulk(jobs.map((data) => ({ data })));
    // Bull does not look at what came of each.
    if (added.some(({ id }) => !id)) throw new Error('Redis has not taken all permits');
  }

  /**
   * The numbers whose turn failed: one that is at fault, as its bucket in Redis is broken, must not cost the others theirs,
   * nor the tokens that they have taken.
   * @throws what all of several have failed for
   */
  private failedOf(numbers: DueNumber[], turns: PromiseSettledResult<unknown>[]): number[] {
    const faults = turns.flatMap((turn, i) =>
      turn.status === 'rejected' ? [{ id: numbers[i]!.id, error: turn.reason as Error }] : [],
    );
    if (faults.length > 1 && faults.length === numbers.length) throw faults[0]!.error;
    for (const { id, error } of faults) {
      if (!this.faulty.has(id)) this.logger.warn(`Number ${id} stands still: ${error.message}`);
      this.faulty.add(id);
    }
    const failed = faults.map(({ id }) => id);
    for (const { id } of numbers)
      if (!failed.includes(id) && this.faulty.delete(id)) this.logger.log(`Number ${id} goes on`);
    return failed;
  }

  /**
   * How many messages of each number may go, as far as room is concerned. Without those that have no room here: they get
   * their next turn without a look.
   */
  private roomsOf(ids: number[]): Map<number, number> {
    const rooms = new Map(ids.map((id) => [id, this.inFlight.roomFor(id)]));
    if (!this.leases.isAlone) {
      const crowded = ids.filter((id) => (rooms.get(id) ?? 0) < ROUND);
      for (const id of someOf(crowded, FOR_OTHERS)) rooms.set(id, ROUND);
    }
    return new Map([...rooms].filter(([, room]) => room > 0));
  }

  private rest(ids: number[], pause = PACE): void {
    if (!this.stopped) this.resting.add(ids, pause);
  }

  private async issue(number: DueNumber, room: number): Promise<DeliveryJob[]> {
    if (number.probe_of !== null) return this.probe(number, number.probe_of);
    // For no more than may be under way: what a permit leaves behind for want of room comes with the next wake-up.
    const wanted = Math.min(number.due, ROUND, room);
    let permits = await this.rate.take(number.id, number.messages_per_second, wanted);
    const jobs: DeliveryJob[] = [];
    for (; permits > 0; permits -= MAX_PERMITS) {
      jobs.push({ version: 1, messagingAccountId: number.id, permits: Math.min(permits, MAX_PERMITS) });
    }
    return jobs;
  }

  /** One message tries whether the cause of the hold is gone; the others go on waiting. */
  private async probe(number: DueNumber, holdId: number): Promise<DeliveryJob[]> {
    if (!(await this.holds.takeProbe(holdId))) return [];
    return [{ version: 1, messagingAccountId: number.id, permits: 1, probe: true }];
  }

  /** Says once that it cannot work and once that it can again. */
  private report(error: unknown): void {
    if (error && !this.troubled) this.logger.warn(`Dispatching stands still: ${(error as Error).message}`);
    if (!error && this.troubled) this.logger.log('Dispatching goes on');
    this.troubled = Boolean(error);
  }
}

function permitsOf(jobs: DeliveryJob[], messagingAccountId: number): number {
  return jobs
    .filter((job) => job.messagingAccountId === messagingAccountId)
    .reduce((sum, job) => sum + job.permits, 0);
}

/** Up to so many of them, any: each has its chance. */
function someOf(ids: number[], count: number): number[] {
  if (ids.length <= count) return ids;
  const start = Math.floor(Math.random() * ids.length);
  return [...ids.slice(start), ...ids.slice(0, start)].slice(0, count);
}
