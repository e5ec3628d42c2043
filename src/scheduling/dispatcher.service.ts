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
import { NumberRate } from '../delivery/rates/number-rate.js';
import { type DueNumber, DueNumbers } from './due-numbers.js';
import { DueWatch, PACE } from './due-watch.js';

/** Permits for one number in one round: the numbers take turns. */
const ROUND = 100;

/** Milliseconds until numbers get another turn after one that failed: Redis or PostgreSQL is out. */
const RETRY_PAUSE = 1_000;

/** Permits that may lie in the queue before it issues more: enough to keep workers busy, few enough to be fresh. */
const MAX_QUEUED = 32;

/**
 * Decides which numbers may send now, and issues permits for as many messages as are due and as the number's rate
 * allows. Woken by {@link DueWatch} and by retries; every worker has one, and they need not know of each other: a
 * permit that finds nothing to send returns its tokens.
 *
 * A number that has more to send than was allowed gets its next turn after {@link PACE}: so long that a permit is for
 * several messages (50 at the highest rate), so short that the bucket does not run over meanwhile.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DispatcherService.name);
  /** Numbers that may have due messages. */
  private readonly active = new Set<number>();
  /** Numbers that have had their turn and get the next one after the pace, however often they are woken. */
  private readonly resting = new Set<number>();
  private restTimer?: NodeJS.Timeout;
  private running?: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private troubled = false;

  constructor(
    @InjectQueue(DELIVERY_QUEUE) private readonly queue: Queue<DeliveryJob>,
    private readonly numbers: DueNumbers,
    private readonly rate: NumberRate,
    private readonly holds: HoldsService,
    private readonly inFlight: InFlight,
    private readonly watch: DueWatch,
  ) {}

  onApplicationBootstrap(): void {
    this.watch.start((ids) => this.wake(ids));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.watch.stop();
    clearTimeout(this.restTimer);
    await this.running;
  }

  /** Looks at these numbers now. */
  wake(messagingAccountIds: number[]): void {
    for (const id of messagingAccountIds) if (!this.resting.has(id)) this.active.add(id);
    if (this.active.size === 0) return;
    this.again = true;
    if (this.stopped || this.running) return;
    this.running = this.work().finally(() => (this.running = undefined));
  }

  private async work(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      const ids = [...this.active];
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

  /**
   * One turn for each active number; those that still have due messages get another after the pace. So do, without a
   * look, those that this worker has no room for: issuing their permits is left to workers that have.
   */
  private async round(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    if ((await this.queue.getWaitingCount()) >= MAX_QUEUED) return this.rest(ids);
    const roomy = ids.filter((id) => this.inFlight.roomFor(id) > 0);
    this.rest(ids.filter((id) => !roomy.includes(id)));
    if (roomy.length === 0) return;
    const numbers = await this.numbers.among(roomy, ROUND + 1); // one more tells that the number has more
    for (const { id, next_due_at } of numbers) if (next_due_at) this.watch.awaitDue(id, next_due_at);
    const due = numbers.filter((number) => number.due > 0);
    const jobs = (await Promise.all(due.map((number) => this.issue(number)))).flat();
    const more = due.filter(({ id, due: count }) => count > permitsOf(jobs, id));
    this.rest(more.map(({ id }) => id));
    if (jobs.length === 0) return;
    failPoint('after-tokens');
    await this.queue.addBulk(jobs.map((data) => ({ data })));
  }

  private rest(ids: number[], pause = PACE): void {
    if (ids.length === 0 || this.stopped) return;
    if (this.resting.size === 0) this.restTimer = setTimeout(() => this.wakeResting(), pause);
    for (const id of ids) this.resting.add(id);
  }

  private wakeResting(): void {
    const ids = [...this.resting];
    this.resting.clear();
    this.wake(ids);
  }

  private async issue(number: DueNumber): Promise<DeliveryJob[]> {
    if (number.probe_of !== null) return this.probe(number, number.probe_of);
    // For no more than may be under way: what a permit leaves behind for want of room comes with the next wake-up.
    const wanted = Math.min(number.due, ROUND, this.inFlight.roomFor(number.id));
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
