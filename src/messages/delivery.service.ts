import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { ProviderClient, type SentMessage } from '../provider/provider.client.js';
import { TEMPLATE_REFRESH_CODES } from '../provider/error-table.js';
import { ProviderError } from '../provider/provider-error.js';
import type { WireSendRequest } from '../provider/wire.js';
import type { DeliveryJob } from './delivery.queue.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import { decideOutcome } from './domain/outcome.js';
import { HoldsService } from './holds.service.js';
import { InFlight } from './in-flight.js';
import { type ClaimedMessage, MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { NumberRate } from './number-rate.js';
import { RetryWakeUps } from './retry-wake-ups.js';

/** Milliseconds between two tries to record an outcome while PostgreSQL is out. */
const RECORD_PAUSE = 500;

/** Sends claimed messages and records what became of each. */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly inFlight: InFlight;

  constructor(
    private readonly store: MessageLogStore,
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly rate: NumberRate,
    private readonly holds: HoldsService,
    private readonly templates: TemplateSyncService,
    private readonly wakeUps: RetryWakeUps,
    private readonly metrics: MessageMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.inFlight = new InFlight(config.DELIVERY_IN_FLIGHT);
  }

  /**
   * Uses a permit: claims what is due on the number and sends it. Returns when the messages are on their way and
   * the worker has room for more, not when they have been answered: one slow answer must not hold up a permit.
   */
  async use({ messagingAccountId, permits, probe = false }: DeliveryJob): Promise<void> {
    if (this.inFlight.closed) return;
    const messages = await this.store.claim(messagingAccountId, permits);
    for (const message of messages) this.inFlight.add(this.deliver(message, probe || message.probe));
    await this.rate.giveBack(messagingAccountId, permits - messages.length);
    await this.inFlight.roomForMore();
  }

  /** Lets the messages under way come to their end; what has not by then is recovered by its lease. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.inFlight.close(this.config.SHUTDOWN_GRACE * 1000 * 0.8);
    await this.store.drained();
  }

  private async deliver(message: ClaimedMessage, probe: boolean): Promise<void> {
    let record: () => Promise<void>;
    try {
      const sent = await this.send(message);
      record = () => this.recordSent(message, sent, probe);
    } catch (error) {
      record = () => this.recordRefusal(message, error);
    }
    await this.untilRecorded(message, record);
  }

  private async send(message: ClaimedMessage): Promise<SentMessage> {
    const account = await this.accounts.findById(message.messaging_account_id);
    const secrets = account && (await this.accounts.secretsOf(account.businessAccountId));
    if (!account || !secrets)
      throw new Error(`There is no messaging account ${message.messaging_account_id}`);
    return this.provider.send(secrets, account.phoneNumberId, toWire(message));
  }

  private async recordSent(message: ClaimedMessage, sent: SentMessage, probe: boolean): Promise<void> {
    await this.store.recordSent({
      id: message.id,
      attempt: message.attempts,
      provider_message_id: sent.messageId,
      details: { source: 'answer', attempt: message.attempts, ...sent },
    });
    this.metrics.outcome('sent');
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
      { base: this.config.RETRY_BASE, cap: this.config.RETRY_CAP },
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
        await this.store.recordFailed({ ...reference, error: fault });
        return this.refreshTemplates(message, refusal);
      case 'hold':
        await this.holds.place(message, outcome.scope, refusal);
        return void (await this.store.recordRetry({
          ...reference,
          due_at: outcome.dueAt,
          event: 'held',
          details,
        }));
      case 'retry':
        await this.store.recordRetry({ ...reference, due_at: outcome.dueAt, event: 'retry', details });
        await this.wakeUps.schedule(message.messaging_account_id, outcome.dueAt);
    }
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
