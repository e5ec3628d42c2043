import { Injectable, Logger } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { failPoint } from '../common/fail-point.js';
import { Config } from '../config/config.js';
import { isRefusedForGood } from '../database/database-errors.js';
import { ERROR_TABLE, TEMPLATE_REFRESH_CODES } from '../provider/error-table.js';
import type { SentMessage } from '../provider/provider.client.js';
import { ProviderError } from '../provider/provider-error.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import type { MessageError, UnwantedError } from '../messages/domain/message-error.js';
import { shortAnswer } from '../messages/event-details.js';
import { decideOutcome, type Outcome, type RetryPolicy } from '../outbox/outcome.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { InFlight } from './in-flight.js';
import type { ClaimedMessage } from '../outbox/outbox.store.js';
import { type Applied, OutcomesStore } from './outcomes.store.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { NumberActivityStore } from './number-activity.store.js';
import { RetryWakeUpsService } from './retry-wake-ups.service.js';
import { TemplateBindingService } from '../outbox/template-binding.service.js';

/** Milliseconds between two tries to record an outcome while PostgreSQL is out. */
const RECORD_PAUSE = 500;

/** Milliseconds for which an alert of a single refused message stands. */
const REFUSAL_SHOWN = 86_400_000;

/** Records what became of each claimed message, and does what follows from it. */
@Injectable()
export class OutcomesService {
  private readonly logger = new Logger(OutcomesService.name);
  private readonly policy: RetryPolicy;

  constructor(
    private readonly store: OutcomesStore,
    private readonly inFlight: InFlight,
    private readonly holds: HoldsService,
    private readonly binding: TemplateBindingService,
    private readonly templates: TemplateSyncService,
    private readonly wakeUps: RetryWakeUpsService,
    private readonly alerts: AlertsService,
    private readonly metrics: MessageMetrics,
    private readonly activity: NumberActivityStore,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    const [code, other] = [config.RETRY_BUDGET_AUTHENTICATION * 1000, config.RETRY_BUDGET * 1000];
    const budget = { AUTHENTICATION: code, UTILITY: other, MARKETING: other };
    this.policy = { base: config.RETRY_BASE, cap: config.RETRY_CAP, budget };
  }

  /**
   * Puts a message back for which no call was made; its turn comes at `dueAt`.
   * @param probe whether it was to try a hold, which another may do now
   */
  async release(message: ClaimedMessage, dueAt: Date, probe: boolean): Promise<void> {
    await this.untilDone(message, () => this.store.release({ ...claimOf(message), due_at: dueAt }));
    this.metrics.released();
    if (probe) await this.untilDone(message, () => this.holds.returnProbe(message));
  }

  /** Puts back those of a number that are of a template of the business account that it has left, and were not sent. */
  async rebind(strays: ClaimedMessage[], probe: boolean): Promise<void> {
    const [first] = strays;
    if (!first) return;
    await this.untilDone(first, () => this.binding.rebind(strays));
    if (probe) await this.untilDone(first, () => this.holds.returnProbe(first));
  }

  /** Fails a message that nobody wants any more; no call was made for this claim. @param probe as for `release` */
  async unwanted(message: ClaimedMessage, error: UnwantedError, probe: boolean): Promise<void> {
    const failed = { ...claimOf(message), calls: message.attempts - 1, error };
    const recorded = await this.untilDone(message, () => this.store.recordFailed(failed));
    if (probe) await this.untilDone(message, () => this.holds.returnProbe(message));
    if (!recorded) return;
    this.metrics.unwanted(error.code);
    this.noteLate(recorded);
  }

  /** The provider took the message. @param probe whether it tried a hold, which ends with this */
  async sent(message: ClaimedMessage, sent: SentMessage, probe: boolean): Promise<void> {
    const claim = claimOf(message);
    const details = { source: 'answer', attempt: claim.attempt };
    const recorded = await this.untilDone(
      message,
      () =>
        this.store.recordSent({
          ...claim,
          provider_message_id: sent.messageId,
          details: shortAnswer({ ...details, ...sent }),
        }),
      () => this.store.recordSent({ ...claim, provider_message_id: null, details }),
    );
    if (!recorded) return;
    this.metrics.outcome('sent');
    this.activity.sent(message.messaging_account_id);
    this.noteLate(recorded);
    if (probe) await this.untilDone(message, () => this.holds.liftAfterProbe(message));
  }

  /** The call failed, with a ProviderError or by a fault of ours before it was made. */
  async refused(message: ClaimedMessage, error: unknown): Promise<void> {
    const refusal = error instanceof ProviderError ? error : this.notSent(message, error);
    const now = this.clock.now();
    const outcome = decideOutcome(
      refusal,
      {
        attempts: message.attempts,
        category: message.conversation_category,
        wantedAt: message.wanted_at,
        firstAttemptAt: message.first_attempt_at,
      },
      now,
      Math.random(),
      this.policy,
    );
    this.metrics.outcome(outcome.kind, refusal.errorClass);
    if (!refusal.known)
      this.logger.error({
        message: 'Unknown provider error code, taken as permanent',
        message_log_id: message.id,
        error: faultOf(refusal),
      });
    const recorded = await this.untilDone(
      message,
      () => this.record(message, outcome, refusal, now),
      () => this.record(message, outcome, inShort(refusal), now),
    );
    if (recorded) await this.follow(message, outcome, refusal, recorded);
  }

  private async record(
    message: ClaimedMessage,
    outcome: Outcome,
    refusal: ProviderError,
    now: Date,
  ): Promise<Applied> {
    const claim = claimOf(message);
    const error = faultOf(refusal);
    const details = { source: 'answer', attempt: claim.attempt, error };
    switch (outcome.kind) {
      case 'unknown':
        return this.store.recordUnknown({ ...claim, resolve_at: this.endOfWindow(now), details });
      case 'fail':
        return this.store.recordFailed({ ...claim, error: endOfTries(refusal, error) });
      case 'hold':
        if (await this.holds.beginsAgain(message, outcome.scope)) return this.failAlone(message, error);
        await this.holds.place(message, outcome.scope, { errorClass: refusal.errorClass, ...error });
        return this.store.recordRetry({ ...claim, due_at: outcome.dueAt, event: 'held', details });
      case 'retry':
        return this.store.recordRetry({ ...claim, due_at: outcome.dueAt, event: 'retry', details });
    }
  }

  /** The provider takes others, but refuses this message as if the fault were its number's: it must not stop them again. */
  private async failAlone(message: ClaimedMessage, error: MessageError): Promise<Applied> {
    const said = 'Refused again after others had gone through: the fault is of this message alone.';
    const details = `${error.details ?? ''} ${said}`.trimStart();
    const recorded = await this.store.recordFailed({ ...claimOf(message), error: { ...error, details } });
    if (!recorded.applied) return recorded;
    const { id, tenant_id, business_account_id, messaging_account_id } = message;
    const now = this.clock.now();
    await this.alerts.raise({
      kind: 'message_refused',
      severity: 'warning',
      tenantId: tenant_id,
      businessAccountId: business_account_id,
      subject: String(messaging_account_id),
      text: `The provider refuses message ${id} again, though others of its number went through: ${error.title} (provider code ${error.code}). It has failed.`,
      details: { message_log_id: id, code: error.code },
      occurredAt: now,
      endsAt: new Date(now.getTime() + REFUSAL_SHOWN),
    });
    return recorded;
  }

  /** What an outcome brings with it once it is recorded. */
  private async follow(
    message: ClaimedMessage,
    outcome: Outcome,
    refusal: ProviderError,
    recorded: Applied,
  ): Promise<void> {
    if (outcome.kind !== 'unknown') this.noteLate(recorded);
    if (outcome.kind === 'fail') await this.untilDone(message, () => this.refreshTemplates(message, refusal));
    if (outcome.kind !== 'retry') return;
    failPoint('after-retry');
    await this.wakeUps.schedule(message.messaging_account_id, outcome.dueAt);
  }

  private noteLate({ applied }: { applied: boolean }): void {
    if (!applied) this.metrics.late('answer');
  }

  /** The provider knows the template otherwise than we do: what is stored is out of date. */
  private async refreshTemplates(message: ClaimedMessage, refusal: ProviderError): Promise<void> {
    if (refusal.code === null || !TEMPLATE_REFRESH_CODES.has(refusal.code)) return;
    this.templates.refresh(message.business_account_id);
  }

  /** A fault on our side of the wire: nothing was sent, so another try is safe. */
  private notSent(message: ClaimedMessage, error: unknown): ProviderError {
    this.logger.error({ message: 'Message not sent', message_log_id: message.id, error });
    return new ProviderError({ errorClass: 'transient', title: 'The service could not send the message' });
  }

  private endOfWindow(now: Date): Date {
    return new Date(now.getTime() + this.config.UNKNOWN_OUTCOME_WINDOW * 1000);
  }

  /**
   * An outcome is only known here: it is recorded as soon as PostgreSQL is back, or the process ends. What PostgreSQL
   * refuses for good is tried in the next of the ways.
   * @returns null when none was possible: then the message is decided when its claim ends
   */
  private async untilDone<Result>(
    message: ClaimedMessage,
    ...ways: (() => Promise<Result>)[]
  ): Promise<Result | null> {
    const message_log_id = message.id;
    let isTold = false;
    for (let way = ways.shift(); way;) {
      try {
        return await way();
      } catch (error) {
        if (isRefusedForGood(error)) {
          way = ways.shift();
          this.metrics.outcomeRefused(way ? 'in_short' : 'not_at_all');
          this.logger.error({ message: 'Outcome refused by the database', message_log_id, error });
          continue;
        }
        if (!isTold) this.logger.error({ message: 'Outcome not recorded yet', message_log_id, error });
        isTold = true;
        if (!(await this.inFlight.pause(RECORD_PAUSE))) return null;
      }
    }
    return null;
  }
}

const claimOf = ({ id, attempts }: ClaimedMessage) => ({ id, attempt: attempts });

const faultOf = ({ code, title, details }: ProviderError): MessageError => ({ code, title, details });

/** The same refusal without the provider's words. */
function inShort({ errorClass, code }: ProviderError): ProviderError {
  return new ProviderError({
    errorClass,
    code,
    title: 'Refused by the provider',
    details: 'What it wrote cannot be stored.',
  });
}

/** Says so when a refusal that another try could mend is the last, because the message's time is over. */
function endOfTries({ errorClass }: ProviderError, fault: MessageError): MessageError {
  if (ERROR_TABLE[errorClass].action === 'fail') return fault;
  return {
    ...fault,
    details: `${fault.details ?? ''} Not tried again: the time for that is over.`.trimStart(),
  };
}
