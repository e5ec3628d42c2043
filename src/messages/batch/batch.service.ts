import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { failPoint } from '../../common/fail-point.js';
import { RequestValidationPipe } from '../../http/validation.pipe.js';
import { OptOutsService } from '../../recipients/opt-outs.service.js';
import { SpendLimitsService } from '../../spending/spend-limits.service.js';
import { hashOf } from '../body-hash.js';
import { checkShape } from '../components/components.js';
import type { BatchAnswer } from '../dto/batch.dto.js';
import { SendMessageDto } from '../dto/send-message.dto.js';
import { type Answered, IdempotencyService } from '../idempotency.service.js';
import { messageOf } from '../judged-message.js';
import { type Judgement, JudgementService, parametersOf, type Sender } from '../judgement.service.js';
import { MessageMetrics } from '../message-metrics.js';
import { MessageTraces } from '../traces/message-traces.service.js';
import { answerOf, type BatchOutcome, refusal } from './batch-outcome.js';
import { type BatchAcceptance, BatchStore, type JudgedBatch } from './batch.store.js';

/** How often a batch is judged when templates change under it, or the database was lost before it was stored. */
const MAX_JUDGEMENTS = 3;

/** Messages that are judged before others get their turn: some milliseconds' work. */
const AT_ONCE = 50;

/** What the rules say of one message. */
type Verdict = { judgement: Judgement; body: SendMessageDto } | ApiError;

type Accepted = Extract<BatchAcceptance, { outcome: 'accepted' }>;

/** Accepts many messages at once: each is judged as a send, and all that pass are stored in one commit. */
@Injectable()
export class BatchService {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly judgement: JudgementService,
    private readonly store: BatchStore,
    private readonly idempotency: IdempotencyService,
    private readonly optOuts: OptOutsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly metrics: MessageMetrics,
    private readonly traces: MessageTraces,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts what can be accepted of a batch, once for each idempotency key. A message's own fault is its result.
   * @param messages as they came
   * @param cause the caller's `traceparent`
   * @throws ApiError IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED
   */
  async send(
    sender: Sender,
    messages: unknown[],
    idempotencyKey: string | undefined,
    cause?: string,
  ): Promise<Answered<BatchAnswer>> {
    if (idempotencyKey === undefined)
      return { answer: answerOf(await this.accept(sender, messages, null, cause)), replayed: false };
    const key = { key: idempotencyKey, bodyHash: hashOf({ messages }) };
    const { answer, replayed } = await this.idempotency.once(
      sender.tenantId,
      key,
      () => this.accept(sender, messages, key, cause),
      (known) => known.answer as BatchOutcome, // of a batch, as its body has the same hash
    );
    return { answer: answerOf(answer), replayed };
  }

  private async accept(
    sender: Sender,
    messages: unknown[],
    key: JudgedBatch['key'],
    cause: string | undefined,
  ): Promise<BatchOutcome> {
    const start = this.clock.now();
    for (let judgement = 1; judgement <= MAX_JUDGEMENTS; judgement += 1) {
      const verdicts = await this.judge(sender, messages);
      const batch = batchOf(sender, verdicts, key);
      const acceptance = await this.store.accept(batch);
      if (acceptance.outcome === 'accepted') {
        failPoint('after-accept');
        this.note(batch, acceptance, start, cause);
        return this.outcomeOf(batch, acceptance);
      }
      if (acceptance.outcome === 'key_taken') {
        const message = 'Another request with this Idempotency-Key was faster; repeat it.';
        throw new ApiError('IDEMPOTENCY_KEY_IN_USE', message);
      }
      if (acceptance.outcome === 'template_changed') this.forget(acceptance.indexes, verdicts);
    }
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The batch could not be stored: its templates or the database keep changing. Nothing was accepted; try again.',
      [],
      1,
    );
  }

  /** Side by side, as what they look up is remembered, in steps, so that other requests are answered between them. */
  private async judge(sender: Sender, messages: unknown[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (let from = 0; from < messages.length; from += AT_ONCE) {
      const step = messages.slice(from, from + AT_ONCE);
      verdicts.push(...(await Promise.all(step.map((message) => this.judgeOne(sender, message)))));
      await setImmediate();
    }
    return verdicts;
  }

  private async judgeOne(sender: Sender, message: unknown): Promise<Verdict> {
    try {
      const type = { type: 'body', metatype: SendMessageDto } as const;
      const body = (await this.shape.transform(message, type)) as SendMessageDto;
      checkShape(parametersOf(body));
      return { judgement: await this.judgement.judge(sender, body), body };
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error;
      throw error;
    }
  }

  private forget(indexes: number[], verdicts: Verdict[]): void {
    for (const index of indexes) {
      const verdict = verdicts[index];
      if (verdict && !(verdict instanceof ApiError)) this.judgement.forget(verdict.judgement);
    }
  }

  private note({ messages }: JudgedBatch, { ids }: Accepted, start: Date, cause: string | undefined): void {
    this.metrics.accepted(ids.size);
    if (!this.traces.areOn) return;
    const span = { start, end: this.clock.now(), cause };
    for (const [index, message] of messages) {
      const id = ids.get(index);
      if (id !== undefined) this.traces.accepted(id, message, span);
    }
  }

  private async outcomeOf({ messages, refused }: JudgedBatch, accepted: Accepted): Promise<BatchOutcome> {
    const outcome = { accepted: [], opted_out: [], over_limit: [], refused } as Required<BatchOutcome>;
    for (const [index, message] of messages) {
      const { tenant_id, phone, category, cost } = message;
      const id = accepted.ids.get(index);
      if (id !== undefined) {
        outcome.accepted.push([index, id, category, cost]);
        continue;
      }
      const limits = accepted.overLimit.get(index);
      // After a cut, it is only known that it was opted out or over a limit.
      const scope =
        accepted.optedOut.get(index) ??
        (limits ? undefined : (await this.optOuts.among(tenant_id, [phone], category)).get(phone));
      if (scope) outcome.opted_out.push([index, scope]);
      else outcome.over_limit.push([index, limits ?? (await this.spendLimits.reachedBy(message))]);
    }
    return outcome;
  }
}

function batchOf(sender: Sender, verdicts: Verdict[], key: JudgedBatch['key']): JudgedBatch {
  const batch: JudgedBatch = { tenantId: sender.tenantId, messages: new Map(), refused: [], key };
  verdicts.forEach((verdict, index) => {
    if (verdict instanceof ApiError) batch.refused.push(refusal(index, verdict));
    else batch.messages.set(index, messageOf(verdict.judgement, verdict.body, sender));
  });
  return batch;
}
