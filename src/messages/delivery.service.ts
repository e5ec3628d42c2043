import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { failPoint } from '../common/fail-point.js';
import { Config } from '../config/config.js';
import { ProviderClient, type SentMessage } from '../provider/provider.client.js';
import { ERROR_TABLE, TEMPLATE_REFRESH_CODES } from '../provider/error-table.js';
import { ProviderError } from '../provider/provider-error.js';
import type { WireSendRequest } from '../provider/wire.js';
import type { DeliveryJob } from './delivery.queue.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import type { MessageError } from './domain/message-error.js';
import { decideOutcome, type RetryPolicy } from './domain/outcome.js';
import { HoldsService } from './holds.service.js';
import { InFlight } from './in-flight.js';
import { type ClaimedMessage, MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { NumberActivity } from './number-activity.js';
import { NumberRate } from './number-rate.js';
import { PairRate } from './pair-rate.js';
import { RetryWakeUps } from './retry-wake-ups.js';

/** Milliseconds between two tries to record an outcome while PostgreSQL is out. */
const RECORD_PAUSE = 500;

/** Milliseconds for which claimed messages go back when Redis cannot tell whether they may be sent. */
const RELEASE_PAUSE = 1_000;

/** Sends claimed messages and records what became of each. */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  /** Messages that this process has claimed and whose outcome it has not recorded yet. */
  private readonly underWay = new Set<number>();
  private ratesUnknown = false;
  private readonly policy: RetryPolicy;

  constructor(
    private readonly store: MessageLogStore,
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly rate: NumberRate,
    private readonly pairs: PairRate,
    private readonly inFlight: InFlight,
    private readonly holds: HoldsService,
    private readonly templates: TemplateSyncService,
    private readonly wakeUps: RetryWakeUps,
    private readonly metrics: MessageMetrics,
    private readonly activity: NumberActivity,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    const [code, other] = [config.RETRY_BUDGET_AUTHENTICATION * 1000, config.RETRY_BUDGET * 1000];
    const budget = { AUTHENTICATION: code, UTILITY: other, MARKETING: other };
    this.policy = { base: config.RETRY_BASE, cap: config.RETRY_CAP, budget };
  }

  /**
   * Uses a permit: claims what is due on the number, as far as there is room for it, and sends it. Returns when the
   * messages are on their way, not when they have been answered: one slow answer must not hold up a permit.
   */
  async use({ messagingAccountId, permits, probe = false }: DeliveryJob): Promise<void> {
    if (this.inFlight.closed) return;
    const messages = await this.claim(messagingAccountId, permits, probe);
    if (messages.length > 0) failPoint('after-claim');
    const tokens = probe ? 0 : permits; // the number is on hold: none was taken
    // Before Redis is asked: a turn counts from when Redis answered, not from when this process came to read it.
    const askedAt = this.clock.now().getTime();
    const waits = await this.waits(messagingAccountId, tokens, messages);
    messages.forEach((message, i) => {
      const wait = waits[i] ?? RELEASE_PAUSE;
      const work =
        wait > 0 ? this.release(message, askedAt + wait) : this.deliver(message, probe || message.probe);
      void work.finally(() => {
        this.underWay.delete(message.id);
        this.inFlight.finish(messagingAccountId);
      });
    });
  }

  /** Decides the claims that ended without an outcome, wherever they were made. */
  resolveUnknown(): Promise<{ requeued: number; failed: number }> {
    return this.store.resolveUnknown([...this.underWay]);
  }

  /** Lets the messages under way come to their end; what has not by then is recovered by its lease. */
  async beforeApplicationShutdown(): Promise<void> {
    const { ROLE, SHUTDOWN_GRACE } = this.config;
    // In a process that is an API too, its requests come first.
    await this.inFlight.close(SHUTDOWN_GRACE * 1000 * (ROLE === 'worker' ? 0.8 : 0.4));
    await this.store.drained();
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
      if (room > 0) messages = await this.store.claim(messagingAccountId, room, probe);
      for (const { id } of messages) this.underWay.add(id);
      return messages;
    } finally {
      this.inFlight.leave(messagingAccountId, room - messages.length);
    }
  }

  /** Milliseconds that each message still has to wait, 0 for one that may go. Without Redis none may: the provider would refuse. */
  private async waits(id: number, tokens: number, messages: ClaimedMessage[]): Promise<number[]> {
    try {
      const phones = messages.map((message) => message.phone);
      const waits = await this.pairs.admit(id, tokens, phones);
      this.ratesUnknown = false;
      return waits;
    } catch (error) {
      if (!this.ratesUnknown) this.logger.warn(`Messages wait for their rates: ${(error as Error).message}`);
      this.ratesUnknown = true;
      return messages.map(() => RELEASE_PAUSE);
    }
  }

  /** Puts a message back for which no call was made. */
  private async release(message: ClaimedMessage, dueAt: number): Promise<void> {
    const due_at = new Date(dueAt);
    await this.untilRecorded(message, async () => {
      await this.store.release({ id: message.id, attempt: message.attempts, due_at });
    });
  }

  private async deliver(message: ClaimedMessage, probe: boolean): Promise<void> {
    let record: () => Promise<void>;
    try {
      const sent = await this.send(message);
      record = () => this.recordSent(message, sent, probe);
    } catch (error) {
      await this.slowDown(message, error);
      record = () => this.recordRefusal(message, error);
    }
    failPoint('after-answer');
    await this.untilRecorded(message, record);
    failPoint('after-outcome');
  }

  private async send(message: ClaimedMessage): Promise<SentMessage> {
    const account = await this.accounts.findById(message.messaging_account_id);
    const secrets = account && (await this.accounts.secretsOf(account.businessAccountId));
    if (!account || !secrets)
      throw new Error(`There is no messaging account ${message.messaging_account_id}`);
    return this.provider.send(secrets, account.phoneNumberId, toWire(message));
  }

  /**
   * Lowers the rate of the number, or of all numbers of its business account, when that is what the provider asks for.
   * Never throws: the next refusal does it.
   */
  private async slowDown(message: ClaimedMessage, error: unknown): Promise<void> {
    if (!(error instanceof ProviderError)) return;
    const { errorClass, retryAfter } = error;
    if (errorClass !== 'number_rate' && errorClass !== 'account_rate') return;
    try {
      const id = message.messaging_account_id;
      const ids = errorClass === 'number_rate' ? [id] : await this.accounts.numbersBeside(id);
      for (const number of ids) await this.rate.slow(number, retryAfter);
    } catch (failure) {
      this.logger.debug(`Rate not lowered: ${(failure as Error).message}`);
    }
  }

  private async recordSent(message: ClaimedMessage, sent: SentMessage, probe: boolean): Promise<void> {
    const recorded = await this.store.recordSent({
      id: message.id,
      attempt: message.attempts,
      provider_message_id: sent.messageId,
      details: { source: 'answer', attempt: message.attempts, ...sent },
    });
    this.metrics.outcome('sent');
    this.activity.sent(message.messaging_account_id);
    this.noteLate(recorded);
    if (probe) await this.holds.liftAfterProbe(message);
  }

  private async recordRefusal(message: ClaimedMessage, error: unknown): Promise<void> {
    const refusal = error instanceof ProviderError ? error : this.notSent(message, error);
    const now = this.clock.now();
    const outcome = decideOutcome(
      refusal,
      { attempts: message.attempts, category: message.conversation_category, wantedAt: message.wanted_at },
      now,
      Math.random(),
      this.policy,
    );
    const reference = { id: message.id, attempt: message.attempts };
    const fault = { code: refusal.code, title: refusal.title, details: refusal.details };
    const details = { source: 'answer', attempt: message.attempts, error: fault };
    this.metrics.outcome(outcome.kind, refusal.errorClass);
    if (!refusal.known)
      this.logger.error({ message: 'Unknown provider error code, taken as permanent', ...details });
    switch (outcome.kind) {
      case 'unknown':
        return void (await this.store.recordUnknown({
          ...reference,
          resolve_at: this.endOfWindow(now),
          details,
        }));
      case 'fail':
        this.noteLate(await this.store.recordFailed({ ...reference, error: endOfTries(refusal, fault) }));
        return this.refreshTemplates(message, refusal);
      case 'hold':
        await this.holds.place(message, outcome.scope, refusal);
        return this.noteLate(
          await this.store.recordRetry({ ...reference, due_at: outcome.dueAt, event: 'held', details }),
        );
      case 'retry':
        this.noteLate(
          await this.store.recordRetry({ ...reference, due_at: outcome.dueAt, event: 'retry', details }),
        );
        failPoint('after-retry');
        await this.wakeUps.schedule(message.messaging_account_id, outcome.dueAt);
    }
  }

  private noteLate({ applied }: { applied: boolean }): void {
    if (!applied) this.metrics.late('answer');
  }

  /** The provider knows the template otherwise than we do: what is stored is out of date. */
  private async refreshTemplates(message: ClaimedMessage, refusal: ProviderError): Promise<void> {
    if (refusal.code === null || !TEMPLATE_REFRESH_CODES.has(refusal.code)) return;
    const account = await this.accounts.findById(message.messaging_account_id);
    if (account) this.templates.refresh(account.businessAccountId);
  }

  /** A fault on our side of the wire: nothing was sent, so another try is safe. */
  private notSent(message: ClaimedMessage, error: unknown): ProviderError {
    this.logger.error({ message: 'Message not sent', message_log_id: message.id, error });
    return new ProviderError({ errorClass: 'transient', title: 'The service could not send the message' });
  }

  private endOfWindow(now: Date): Date {
    return new Date(now.getTime() + this.config.UNKNOWN_OUTCOME_WINDOW * 1000);
  }

  /** An outcome is only known here: it is recorded as soon as PostgreSQL is back, or the process ends. */
  private async untilRecorded(message: ClaimedMessage, record: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await record();
        return;
      } catch (error) {
        this.logger.error({ message: 'Outcome not recorded yet', message_log_id: message.id, error });
        if (!(await this.inFlight.pause(RECORD_PAUSE))) return;
      }
    }
  }
}

/** Says so when a refusal that another try could mend is the last, because the message's time is over. */
function endOfTries({ errorClass }: ProviderError, fault: MessageError): MessageError {
  if (ERROR_TABLE[errorClass].action === 'fail') return fault;
  return {
    ...fault,
    details: `${fault.details ?? ''} Not tried again: the time for that is over.`.trimStart(),
  };
}

function toWire(message: ClaimedMessage): WireSendRequest {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.phone,
    type: 'template',
    template: {
      name: message.template_name,
      language: { code: message.language },
      ...(message.components.length > 0 && { components: message.components }),
    },
    // Comes back in every receipt, so that it finds its row even when this process dies before the answer.
    biz_opaque_callback_data: String(message.id),
  };
}
