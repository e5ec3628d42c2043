import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { failPoint } from '../common/fail-point.js';
import { isDuplicate } from '../database/database-errors.js';
import { optedOut } from '../recipients/opt-outs.service.js';
import { spendLimitReached } from '../spending/spend-limit-reached.js';
import type { SendableTemplate } from '../templates/templates.service.js';
import { acknowledge } from './acknowledge.js';
import { checkShape } from './components/components.js';
import type { SendAcknowledgement } from './dto/send-acknowledgement.dto.js';
import type { SendMessageDto } from './dto/send-message.dto.js';
import { IdempotencyService } from './idempotency.service.js';
import { hashOf } from './body-hash.js';
import { JudgementService, parametersOf, type Sender } from './judgement.service.js';
import { type JudgedMessage, messageOf, NOBODYS, type Origin } from './judged-message.js';
import { MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { MessageTraces } from './traces/message-traces.service.js';

/** How often a send is judged anew when its template changes under it, or the database was lost before it was stored. */
const MAX_JUDGEMENTS = 3;

/** Milliseconds after which a send is not judged anew any more: its caller has waited long enough. */
const JUDGE_FOR = 2_000;

/** What a send came to. */
interface Sent {
  acknowledgement: SendAcknowledgement;
  replayed: boolean;
}

/** A template as somebody has seen it. */
type TemplateRevision = Pick<SendableTemplate, 'id' | 'revision'>;

/** What a message of a campaign is for. */
interface CampaignPlace {
  campaignId: number;
  row: number;
  /** It is sent with no other one. */
  template: TemplateRevision;
}

/** Accepts messages: judged by every rule of the interface in its documented order, then one durable row. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly judgement: JudgementService,
    private readonly store: MessageLogStore,
    private readonly idempotency: IdempotencyService,
    private readonly metrics: MessageMetrics,
    private readonly traces: MessageTraces,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts a message, once for each idempotency key.
   * @param cause the caller's `traceparent`
   * @returns the acknowledgement, and whether it repeats an earlier one
   * @throws ApiError with the code of the first rule that is broken; nothing is stored then
   */
  async send(
    caller: Sender,
    body: SendMessageDto,
    idempotencyKey: string | undefined,
    cause?: string,
  ): Promise<Sent> {
    const start = performance.now();
    try {
      const sent = await this.sendOnce(caller, body, idempotencyKey, cause);
      this.metrics.acceptEnded(sent.replayed ? 'replayed' : 'accepted', start);
      return sent;
    } catch (error) {
      this.metrics.acceptEnded(isRefusal(error) ? 'refused' : 'failed', start);
      throw error;
    }
  }

  private async sendOnce(
    caller: Sender,
    body: SendMessageDto,
    idempotencyKey: string | undefined,
    cause?: string,
  ): Promise<Sent> {
    checkShape(parametersOf(body));
    if (idempotencyKey === undefined) {
      return { acknowledgement: await this.accept(caller, body, NOBODYS, { cause }), replayed: false };
    }
    const key = { key: idempotencyKey, bodyHash: hashOf(body) };
    const origin = { ...NOBODYS, idempotency_key: key.key, body_hash: key.bodyHash };
    const { answer, replayed } = await this.idempotency.once(
      caller.tenantId,
      key,
      () => this.accept(caller, body, origin, { cause }),
      (known) => acknowledge(known.message_log_id as number, known.conversation_category, known.cost),
    );
    return { acknowledgement: answer, replayed };
  }

  /**
   * Accepts the message of a row of a campaign: once, however often and by however many workers it is called.
   * @throws ApiError as `send` does; SERVICE_UNAVAILABLE when the template is another one than the campaign's by now
   */
  async sendRow(caller: Sender, body: SendMessageDto, of: CampaignPlace): Promise<void> {
    checkShape(parametersOf(body));
    const origin = { ...NOBODYS, campaign_id: of.campaignId, campaign_row: of.row };
    try {
      await this.accept(caller, body, origin, { template: of.template });
    } catch (error) {
      if (!isDuplicate(error, 'message_logs_campaign_key')) throw error;
    }
  }

  /**
   * Judges a message by every rule of a send, and stores nothing.
   * @returns the recipient as it would be stored, and what the message would cost now
   * @throws ApiError as `send` does
   */
  async check(sender: Sender, body: SendMessageDto): Promise<JudgedMessage> {
    checkShape(parametersOf(body));
    return messageOf(await this.judgement.judge(sender, body), body, sender);
  }

  private async accept(
    caller: Sender,
    body: SendMessageDto,
    origin: Origin,
    { template, cause }: { template?: TemplateRevision; cause?: string | undefined },
  ): Promise<SendAcknowledgement> {
    const start = this.clock.now();
    const end = performance.now() + JUDGE_FOR;
    for (let judgement = 1; judgement <= MAX_JUDGEMENTS; judgement += 1) {
      const judged = await this.judgement.judge(caller, body);
      const message = messageOf(judged, body, caller);
      if (template && !isOf(message, template)) {
        this.judgement.forget(judged);
        break;
      }
      const accepted = await this.store.accept({ ...message, ...origin });
      const { id, outcome } = accepted;
      if (outcome === 'accepted') {
        failPoint('after-accept');
        this.metrics.accepted();
        if (this.traces.areOn) this.traces.accepted(id, message, { start, end: this.clock.now(), cause });
        return acknowledge(id, message.category, message.cost);
      }
      if (outcome === 'key_taken') {
        throw new ApiError(
          'IDEMPOTENCY_KEY_IN_USE',
          'Another request with this Idempotency-Key was faster; repeat it.',
        );
      }
      if (outcome === 'opted_out') throw optedOut(accepted.opt_out_scope);
      if (outcome === 'over_limit') throw spendLimitReached(accepted.limits);
      if (outcome === 'template_changed') this.judgement.forget(judged);
      if (performance.now() > end) break;
    }
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The message could not be stored: its template or the database keeps changing. Nothing was accepted; try again.',
      [],
      1,
    );
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

function isOf(message: JudgedMessage, { id, revision }: TemplateRevision): boolean {
  return message.template_id === id && message.template_revision === revision;
}
