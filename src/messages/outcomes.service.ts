import { Injectable, Logger } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { failPoint } from '../common/fail-point.js';
import { Config } from '../config/config.js';
import { ERROR_TABLE, TEMPLATE_REFRESH_CODES } from '../provider/error-table.js';
import type { SentMessage } from '../provider/provider.client.js';
import { ProviderError } from '../provider/provider-error.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import type { MessageError } from './domain/message-error.js';
import { decideOutcome, type RetryPolicy } from './domain/outcome.js';
import { HoldsService } from './holds.service.js';
import { InFlight } from './in-flight.js';
import { type ClaimedMessage, MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { NumberActivity } from './number-activity.js';
import { RetryWakeUps } from './retry-wake-ups.js';

/** Milliseconds between two tries to record an outcome while PostgreSQL is out. */
const RECORD_PAUSE = 500;

/** Records what became of each claimed message, and does what follows from it. */
@Injectable()
export class OutcomesService {
  private readonly logger = new Logger(OutcomesService.name);
  private readonly policy: RetryPolicy;

  constructor(
    private readonly store: MessageLogStore,
    private readonly accounts: AccountsService,
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

  /** Puts a message back for which no call was made; its turn comes at `dueAt`. */
  async release(message: ClaimedMessage, dueAt: Date): Promise<void> {
    await this.untilRecorded(message, async () => {
      await this.store.release({ id: message.id, attempt: message.attempts, due_at: dueAt });
    });
  }

  /** The provider took the message. @param probe whether it tried a hold, which ends with this */
  sent(message: ClaimedMessage, sent: SentMessage, probe: boolean): Promise<void> {
    return this.untilRecorded(message, () => this.recordSent(message, sent, probe));
  }

  /** The call failed, with a ProviderError or by a fault of ours before it was made. */
  refused(message: ClaimedMessage, error: unknown): Promise<void> {
    return this.untilRecorded(message, () => this.recordRefusal(message, error));
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
