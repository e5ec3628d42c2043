import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { failPoint } from '../common/fail-point.js';
import { Stopwatch } from '../common/stopwatch.js';
import { Config } from '../config/config.js';
import { ProviderError } from '../provider/provider-error.js';
import { NotLeft } from '../provider/provider-http.js';
import { isOver } from '../messages/domain/conditions.js';
import { CallsService } from './calls.service.js';
import { ClaimCheckService } from './claim-check.service.js';
import type { DeliveryJob } from './delivery.queue.js';
import { accountPause } from '../outbox/outcome.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { InFlight } from './in-flight.js';
import { NumberRateLimiter } from './rates/number-rate-limiter.js';
import { CLAIM_LASTS, type ClaimedMessage, OutboxStore } from '../outbox/outbox.store.js';
import { OutcomesService } from './outcomes.service.js';
import { OutcomesStore, type ResolvedUnknown } from './outcomes.store.js';
import { PairRateLimiter } from './rates/pair-rate-limiter.js';
import { RetryWakeUpsService } from './retry-wake-ups.service.js';

/** Milliseconds for which claimed messages go back when Redis cannot tell whether they may be sent. */
const RELEASE_PAUSE = 1_000;

/**
 * Milliseconds after its turn in which a call has to leave. A later one would reach the provider together with those
 * whose turns came after it, here or in another worker.
 */
const TURN_LASTS = 300;

/** A claimed message on its way to the provider. */
interface Delivery {
  message: ClaimedMessage;
  /** Whether it tries a hold. */
  probe: boolean;
  /** Since its claim was asked for. */
  claimed: Stopwatch;
  /** Since its turn was asked for. */
  turn: Stopwatch;
}

/** Claims messages and sends them. */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  /** Messages that this process has claimed and whose outcome it has not recorded yet. */
  private readonly underWay = new Set<number>();
  private ratesUnknown = false;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly outcomesStore: OutcomesStore,
    private readonly accounts: AccountsService,
    private readonly claimCheck: ClaimCheckService,
    private readonly calls: CallsService,
    private readonly rate: NumberRateLimiter,
    private readonly pairs: PairRateLimiter,
    private readonly inFlight: InFlight,
    private readonly outcomes: OutcomesService,
    private readonly holds: HoldsService,
    private readonly wakeUps: RetryWakeUpsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Uses a permit: claims what is due on the number, as far as there is room for it, and sends it. Returns when the
   * messages are on their way, not when they have been answered: one slow answer must not hold up a permit.
   */
  async use({ messagingAccountId, permits, probe = false }: DeliveryJob): Promise<void> {
    if (this.inFlight.closed) return void this.wakeUps.schedule(messagingAccountId, this.clock.now());
    const claimed = new Stopwatch(this.clock);
    const all = await this.claim(messagingAccountId, permits, probe);
    if (all.length > 0) failPoint('after-claim');
    const messages = this.putStraysBack(all, probe);
    const tokens = probe ? 0 : permits; // the number is on hold: none was taken
    // Before Redis is asked: a turn counts from when Redis answered, not from when this process came to read it.
    const turn = new Stopwatch(this.clock);
    const waits = await this.waits(messages, () =>
      this.pairs.admit(
        messagingAccountId,
        tokens,
        messages.map(({ phone }) => phone),
      ),
    );
    messages.forEach((message, i) => {
      const wait = waits[i] ?? RELEASE_PAUSE;
      const work = this.deliverOrRelease({ message, probe: probe || message.probe, claimed, turn }, wait);
      void work.finally(() => this.end(message));
    });
  }

  /** Decides the claims that ended without an outcome, wherever they were made. */
  resolveUnknown(): Promise<ResolvedUnknown> {
    return this.outcomesStore.resolveUnknown([...this.underWay]);
  }

  /** Lets the messages under way come to their end; what has not by then is recovered by its lease. */
  async beforeApplicationShutdown(): Promise<void> {
    const { ROLE, SHUTDOWN_GRACE } = this.config;
    // In a process that is an API too, its requests come first.
    await this.inFlight.close(SHUTDOWN_GRACE * 1000 * (ROLE === 'worker' ? 0.8 : 0.4));
    await this.outcomesStore.drained();
  }

  /** @returns the others */
  private putStraysBack(messages: ClaimedMessage[], probe: boolean): ClaimedMessage[] {
    const strays = messages.filter(({ stray }) => stray);
    if (strays.length === 0) return messages;
    void this.outcomes.rebind(strays, probe).finally(() => {
      for (const stray of strays) this.end(stray);
    });
    return messages.filter(({ stray }) => !stray);
  }

  private end({ id, messaging_account_id: number }: ClaimedMessage): void {
    this.underWay.delete(id);
    this.inFlight.finish(number);
  }

  /** Claims as much as the number may have under way here; each message has entered. For the rest, it gets another turn. */
  private async claim(
    messagingAccountId: number,
    permits: number,
    probe: boolean,
  ): Promise<ClaimedMessage[]> {
    const room = this.inFlight.enter(messagingAccountId, permits);
    if (room < permits) void this.wakeUps.schedule(messagingAccountId, this.clock.now());
    let messages: ClaimedMessage[] = [];
    try {
      if (room > 0) messages = await this.outbox.claim(messagingAccountId, room, probe);
      for (const { id } of messages) this.underWay.add(id);
      return messages;
    } finally {
      this.inFlight.leave(messagingAccountId, room - messages.length);
    }
  }

  /**
   * Milliseconds that each message still has to wait, 0 for one that may go. Without Redis none may: the provider would
   * refuse.
   */
  private async waits(messages: ClaimedMessage[], ask: () => Promise<number[]>): Promise<number[]> {
    try {
      const waits = await ask();
      this.ratesUnknown = false;
      return waits;
    } catch (error) {
      if (!this.ratesUnknown) this.logger.warn(`Messages wait for their rates: ${(error as Error).message}`);
      this.ratesUnknown = true;
      return messages.map(() => RELEASE_PAUSE);
    }
  }

  private async deliverOrRelease(delivery: Delivery, wait: number): Promise<void> {
    if (wait === 0) return this.deliver(delivery);
    const dueAt = new Date(delivery.turn.startedAt + wait);
    await this.outcomes.release(delivery.message, dueAt, delivery.probe);
    // Sooner than looks find it.
    if (wait < RELEASE_PAUSE) void this.wakeUps.schedule(delivery.message.messaging_account_id, dueAt);
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { message, probe, claimed, turn } = delivery;
    let record: () => Promise<void>;
    try {
      const fault = await this.claimCheck.faultOf(message);
      if (fault) return await this.outcomes.unwanted(message, fault, probe);
      if (probe) await this.holds.noteProbe(message);
      const mayLeave = () =>
        turn.age <= TURN_LASTS && claimed.age <= CLAIM_LASTS && !isOver(message, this.clock.now());
      const sent = await this.calls.send(message, mayLeave);
      record = () => this.outcomes.sent(message, sent, probe);
    } catch (error) {
      if (error instanceof NotLeft) return this.deliverLater(delivery);
      const refusal = await this.slowDown(message, error);
      record = () => this.outcomes.refused(message, refusal);
    }
    failPoint('after-answer');
    await record();
    failPoint('after-outcome');
  }

  /**
   * The worker stalled, or waited for a connection, until the message's turn was over: it asks for another one. When its
   * claim is over too, it goes back, unless it has been given to another worker already.
   */
  private async deliverLater(late: Delivery): Promise<void> {
    const { message, claimed } = late;
    const turn = new Stopwatch(this.clock);
    if (claimed.age > CLAIM_LASTS) return this.deliverOrRelease({ ...late, turn }, 1);
    const ask = async () => [await this.rate.askTurn(message.messaging_account_id)];
    const [wait = RELEASE_PAUSE] = await this.waits([message], ask);
    return this.deliverOrRelease({ ...late, turn }, wait);
  }

  /**
   * Lowers the rate of the number, or stops all numbers of its business account, or what goes to its recipient, when that is
   * what the provider asks for. Never throws: the next refusal does it.
   * @returns the error, with the time that it is to wait
   */
  private async slowDown(message: ClaimedMessage, error: unknown): Promise<unknown> {
    if (!(error instanceof ProviderError)) return error;
    const { errorClass, retryAfter } = error;
    const id = message.messaging_account_id;
    try {
      if (errorClass === 'pair_rate')
        return new ProviderError({
          ...error,
          retryAfter: await this.pairs.slow(id, message.phone, retryAfter),
        });
      if (errorClass === 'number_rate') await this.rate.slow(id, retryAfter);
      if (errorClass !== 'account_rate') return error;
      const pause = accountPause(error, Math.random());
      for (const number of await this.accounts.numbersBeside(id)) await this.rate.slow(number, pause);
    } catch (failure) {
      this.logger.debug(`Rate not lowered: ${(failure as Error).message}`);
    }
    return error;
  }
}
