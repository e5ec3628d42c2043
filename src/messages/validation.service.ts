import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { Reads } from '../database/reads.js';
import { freeNamesOf } from '../http/free-names.js';
import { checkInputBounds } from '../http/input-bounds.js';
import { MAX_DETAILS, RequestValidationPipe } from '../http/validation.pipe.js';
import type { Cost } from '../pricing/domain/cost.js';
import { PricingService } from '../pricing/pricing.service.js';
import type { TemplateStatus } from '../templates/domain/template-status.js';
import { checkShape } from './components/components.js';
import { type TakeFault, unlessFaulty, unlessFaultyAsync } from '../common/faults.js';
import { type WarningFacts, warningsOf } from './domain/warnings.js';
import { SendMessageDto } from './dto/send-message.dto.js';
import type { MessagePrice, SendValidation, ValidatedMessage } from './dto/validation.dto.js';
import {
  BODY_PARTS,
  type Judgement,
  JudgementService,
  parametersOf,
  type Sender,
  type Unreadable,
} from './judgement.service.js';
import { renderedOf } from './rendered.js';
import { WARNING_FACTS } from './warnings.sql.js';

const DAY = 24 * 60 * 60 * 1000;

/** Tells what would become of a send: every fault, the text as it will be read, the price. It stores nothing. */
@Injectable()
export class ValidationService {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly judgement: JudgementService,
    private readonly pricing: PricingService,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /** @param body as it came: a wrong shape is one of the faults that are told */
  async validate(sender: Sender, body: unknown): Promise<SendValidation> {
    const errors: SendValidation['errors'] = [];
    const take: TakeFault = ({ code, message, details }) => {
      errors.push({ code, message, details } as SendValidation['errors'][number]);
    };
    const { readable, unreadable } = await this.read(body, take);
    const judged = await this.judgement.judgeAll(sender, readable, take, unreadable);
    return {
      valid: errors.length === 0,
      errors,
      message: messageOf(judged),
      price: judged.price ? priceOf(judged.price) : null,
      warnings: warningsOf(
        { ...judged, priceWhenDue: await this.priceWhenDue(judged) },
        await this.factsOf(sender, judged),
      ),
    };
  }

  /** The body as far as its shape is right. */
  private async read(
    body: unknown,
    take: TakeFault,
  ): Promise<{ readable: SendMessageDto; unreadable: Unreadable }> {
    let unreadable: Unreadable = new Set();
    const checked = await unlessFaultyAsync(
      (fault) => {
        unreadable = unreadableIn(body, fault);
        take(fault);
      },
      () => this.shape.transform(body, { type: 'body', metatype: SendMessageDto }),
    );
    const readable = (checked ?? body) as SendMessageDto;
    if (!unreadable.has('data.components') && !unreadable.has('data.params'))
      unlessFaulty(take, () => checkShape(parametersOf(readable)));
    return { readable, unreadable };
  }

  private async factsOf(
    { tenantId }: Sender,
    { account, template, phone }: Partial<Judgement>,
  ): Promise<WarningFacts> {
    const [facts] = await this.reads
      .of(tenantId)
      .run<WarningFacts>(WARNING_FACTS, [
        tenantId,
        account?.id ?? null,
        template?.id ?? null,
        phone?.digits ?? null,
        new Date(this.clock.now().getTime() - DAY),
      ]);
    return facts as WarningFacts;
  }

  /** Undefined for a message that is due now, or whose price or time is not known. */
  private async priceWhenDue(judged: Partial<Judgement>): Promise<Cost | undefined> {
    const { account, template, phone, schedule } = judged;
    if (!account || !template || !phone || !schedule?.scheduledAt) return undefined;
    return this.pricing.priceAt(account, phone.digits, template.category, schedule.dueAt);
  }
}

/** The parts of the body that a fault of its shape is about. Where it does not tell them all, it may be about any. */
function unreadableIn(body: unknown, { details }: ApiError): Unreadable {
  const fields = details.map(({ field = '' }) => field);
  if (fields.length === MAX_DETAILS || !isObject(body) || !isWithinBounds(body)) return new Set(BODY_PARTS);
  return new Set(BODY_PARTS.filter((part) => fields.some((field) => isIn(field, part) || isIn(part, field))));
}

/** Whether a JSON path is, or leads into, another one. */
const isIn = (inner: string, outer: string) =>
  inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

const isObject = (body: unknown) => typeof body === 'object' && body !== null && !Array.isArray(body);

/** Of a body that is out of bounds, nothing else was looked at. */
function isWithinBounds(body: unknown): boolean {
  let isWithin = true;
  unlessFaulty(
    () => (isWithin = false),
    () => checkInputBounds(body, '', freeNamesOf(SendMessageDto)),
  );
  return isWithin;
}

function messageOf({ template, components, phone, schedule }: Partial<Judgement>): ValidatedMessage {
  return {
    phone: phone?.digits ?? null,
    template: template
      ? {
          name: template.name,
          language: template.language,
          category: template.category,
          status: template.status satisfies TemplateStatus,
          version: template.version,
        }
      : null,
    rendered: template && components ? renderedOf(template, components) : null,
    due_at: schedule?.dueAt.toISOString() ?? null,
    timezone: schedule?.timezone ?? null,
  };
}

const priceOf = ({ cost, currency, market, category }: Cost): MessagePrice => ({
  amount: Number(cost),
  currency,
  market,
  category,
});
