import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { type Heartbeat, Heartbeats } from '../common/heartbeat.js';
import { GroupCommit } from '../database/group-commit.js';
import { type Channel, MESSAGE_DUE, Notifications } from '../database/notifications.js';
import { SOON } from '../messages/message-effects.sql.js';
import { DueNumbersStore } from './due-numbers.store.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';

/** Milliseconds between two looks at all numbers of the worker's shards that have waiting messages. */
const SHORTEST_PAUSE = 1_000;

/** The same at most. What becomes due in between has an alarm, and what is accepted in between is told of. */
const LONGEST_PAUSE = SOON;

/** A look that takes long has a longer pause after it: looks take this part of the time at most. */
const SHARE = 0.02;

/** Numbers that other workers are told of at a time at most. */
const MOST_TOLD = 500;

/**
 * Milliseconds to which alarms are rounded up: messages that are due at almost the same time go together. Also the
 * dispatcher's pace, so that numbers of one moment share a round.
 */
export const PACE = 50;

/**
 * Tells which numbers of this worker's shards have messages that have become due: by notifications of PostgreSQL, by alarms
 * for what is due soon, and by a look at these shards from time to time, which finds what nobody told of.
 */
@Injectable()
export class DueWatchService {
  private readonly logger = new Logger(DueWatchService.name);
  private onDue: (messagingAccountIds: number[]) => void = () => undefined;
  /** The shards on whose channels it listens. */
  private shards: ReadonlySet<number> = new Set();
  /** Rings for each number when its next message is due. */
  private readonly alarms = new Map<number, NodeJS.Timeout>();
  private nextLook?: NodeJS.Timeout;
  private looking = false;
  private lookAgain = false;
  private stopped = false;
  private readonly heartbeat: Heartbeat;
  /** Numbers of shards of other workers, to be told of. */
  private readonly others = new GroupCommit<number, void>({
    commit: async (ids) => {
      await this.numbers.tell(ids);
      return ids.map(() => undefined);
    },
    maxBatch: MOST_TOLD,
  });

  constructor(
    private readonly numbers: DueNumbersStore,
    private readonly clock: Clock,
    private readonly leases: ShardLeasesService,
    private readonly notifications: Notifications,
    heartbeats: Heartbeats,
  ) {
    this.heartbeat = heartbeats.add('finding due messages', 2 * LONGEST_PAUSE);
  }

  /** @param onDue is told of numbers that may have due messages */
  start(onDue: (messagingAccountIds: number[]) => void): void {
    this.onDue = onDue;
    this.clock.onLeap(() => void this.look());
    this.leases.start((shards) => void this.follow(shards));
  }

  /** Gives the shards back as well. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.nextLook);
    for (const alarm of this.alarms.values()) clearTimeout(alarm);
    await this.leases.stop();
  }

  /** Has whichever worker dispatches the number look at it. Never throws: else its look finds what is due. */
  async tell(messagingAccountId: number): Promise<void> {
    if (this.leases.holds(messagingAccountId)) return this.onDue([messagingAccountId]);
    try {
      await this.others.submit(messagingAccountId);
    } catch (error) {
      this.logger.debug(`Number ${messagingAccountId} not told of: ${(error as Error).message}`);
    }
  }

  /** Sets the alarm of a number for its next message, if that is due before a look at all numbers finds it. */
  awaitDue(id: number, dueAt: Date): void {
    const delay = Math.ceil(dueAt.getTime() / PACE) * PACE - this.clock.now().getTime();
    if (delay > LONGEST_PAUSE || this.stopped) return;
    clearTimeout(this.alarms.get(id));
    this.alarms.set(
      id,
      setTimeout(() => {
        this.alarms.delete(id);
        this.onDue([id]);
      }, delay),
    );
  }

  /** Listens to these shards only, then looks at them: what came before nobody has told of here. */
  private async follow(shards: number[]): Promise<void> {
    const now = new Set(shards);
    const begin = shards.filter((shard) => !this.shards.has(shard)).map(channelOf);
    const end = [...this.shards].filter((shard) => !now.has(shard)).map(channelOf);
    this.shards = now;
    await this.notifications.change(this.hear, { begin, end });
    void this.look();
  }

  private readonly hear = (payload: string | null): void => {
    if (payload === null) void this.look();
    else this.onDue(payload.split(',').map(Number));
  };

  /** Looks at all numbers now; once more after a look that is under way, which may have missed what is new. */
  private async look(): Promise<void> {
    if (this.stopped) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    clearTimeout(this.nextLook);
    this.looking = true;
    const start = performance.now();
    do {
      this.lookAgain = false;
      await this.find();
    } while (this.lookAgain && !this.stopped);
    this.looking = false;
    if (this.stopped) return;
    const pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, (performance.now() - start) / SHARE));
    this.nextLook = setTimeout(() => void this.look(), pause);
  }

  private async find(): Promise<void> {
    try {
      const now = this.clock.now();
      const waiting = await this.numbers.dueBy(new Date(now.getTime() + LONGEST_PAUSE), this.leases.held);
      const due = waiting.filter(({ next_due_at }) => next_due_at <= now);
      if (due.length > 0) this.onDue(due.map(({ id }) => id));
      for (const { id, next_due_at } of waiting) if (next_due_at > now) this.awaitDue(id, next_due_at);
      this.report(null);
    } catch (error) {
      this.report(error);
    }
  }

  /** Says once that it cannot look and once that it can again. */
  private report(error: unknown): void {
    const { isGood } = this.heartbeat;
    if (error && isGood) this.logger.warn(`Due messages are not found: ${(error as Error).message}`);
    if (!error && !isGood) this.logger.log('Due messages are found again');
    if (error) this.heartbeat.miss();
    else this.heartbeat.beat();
  }
}

const channelOf = (shard: number): Channel => `${MESSAGE_DUE}${shard}`;
