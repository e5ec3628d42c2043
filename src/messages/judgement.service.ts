import { Injectable } from '@nestjs/common';
import { AccountsService, type SendingAccount } from '../accounts/accounts.service.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { Clock } from '../common/clock.js';
import type { ApiError } from '../common/errors.js';
import type { Cost } from '../pricing/domain/cost.js';
import { PricingService } from '../pricing/pricing.service.js';
import type { WireComponent } from '../provider/wire.js';
import { normalizePhone, type Phone } from '../recipients/domain/phone.js';
import { optedOut, OptOutsService } from '../recipients/opt-outs.service.js';
import {
  type KnownTemplate,
  sendFault,
  TemplatesService,
  unknownTemplate,
} from '../templates/templates.service.js';
import { spendLimitReached } from '../spending/spend-limit-reached.js';
import { SpendLimitsService } from '../spending/spend-limits.service.js';
import type { TemplateParameters } from './components/component-shape.js';
import { buildComponents } from './components/components.js';
import { stopAtFirst, type TakeFault, unlessFaulty, unlessFaultyAsync } from '../common/faults.js';
import { costFault, expectationFault, validityFault } from './domain/conditions.js';
import type { SendMessageDto } from './dto/send-message.dto.js';
import { utcOf } from './schedule/iso-date-time.js';
import { resolveSchedule, type Schedule } from './schedule/schedule.js';

/** Who a message is sent for, and by which API key, if any. */
export type Sender = Pick<Caller, 'tenantId'> & Partial<Pick<Caller, 'apiKeyId'>>;

/** What the rules make of the body of a send. */
export interface Judgement {
  account: SendingAccount;
  template: KnownTemplate;
  components: WireComponent[];
  phone: Phone;
  schedule: Schedule;
  /** Null when it is wanted whenever it comes. */
  validUntil: Date | null;
  price: Cost;
}

/** The parts of a body that rules need, by their JSON paths. */
export const BODY_PARTS = [
  'messaging_account_id',
  'data.name',
  'data.language_code',
  'data.components',
  'data.params',
  'phone',
  'scheduled_at',
  'timezone',
  'valid_until',
  'max_cost',
  'expect',
] as const;

type BodyPart = (typeof BODY_PARTS)[number];

/** Parts that have the wrong shape: rules that need them have nothing to say. */
export type Unreadable = ReadonlySet<BodyPart>;

const ALL_READABLE: Unreadable = new Set();

/**
 * The rules of a send from the account on, in the order of the documentation: the one place that knows them. A send and
 * a campaign stop at the first fault; who asks before a send hears all of them.
 */
@Injectable()
export class JudgementService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly templates: TemplatesService,
    private readonly pricing: PricingService,
    private readonly optOuts: OptOutsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges a body whose shape is right. Whether its recipient has opted out, and whether a limit has room for it, is left
   * to acceptance, which alone can tell for sure. Opt-outs are asked for here only where a later fault would hide one: so
   * it costs a good send nothing.
   * @throws ApiError the first fault
   */
  async judge(sender: Sender, body: SendMessageDto): Promise<Judgement> {
    const judged = await this.judgeParts(sender, body, stopAtFirst, { isAsked: false });
    return judged as Judgement; // complete, as nothing was thrown
  }

  /**
   * Judges a body as far as it can be judged.
   * @param take gets every fault, in the order of the checks
   * @param unreadable parts of the body that are left out, as their shape is wrong
   * @returns what could be found out
   */
  async judgeAll(
    sender: Sender,
    body: SendMessageDto,
    take: TakeFault,
    unreadable = ALL_READABLE,
  ): Promise<Partial<Judgement>> {
    return this.judgeParts(sender, body, take, { isAsked: true, unreadable });
  }

  /** @param isAsked whether what acceptance will decide is asked for as well */
  private async judgeParts(
    sender: Sender,
    body: SendMessageDto,
    take: TakeFault,
    { isAsked, unreadable = ALL_READABLE }: { isAsked: boolean; unreadable?: Unreadable },
  ): Promise<Partial<Judgement>> {
    const canRead = (...parts: BodyPart[]) => !parts.some((part) => unreadable.has(part));
    const account = canRead('messaging_account_id')
      ? await unlessFaultyAsync(take, () => this.findAccount(sender, body))
      : undefined;
    const template =
      account && canRead('data.name', 'data.language_code')
        ? await this.findTemplate(account, body, take)
        : undefined;
    const components =
      template && canRead('data.components', 'data.params')
        ? buildComponents(template.content, template.name, parametersOf(body), take)
        : undefined;
    const phone = canRead('phone') ? unlessFaulty(take, () => normalizePhone(body.phone)) : undefined;
    const later: ApiError[] = [];
    const parts = { account, template, phone };
    const wanted = await this.judgeWish(body, parts, (fault) => later.push(fault), canRead);
    if (phone && (isAsked || later.length > 0)) await this.checkOptOut(sender, phone, template, take);
    for (const fault of later) take(fault);
    if (account && isAsked) await this.checkSpending(sender, account, wanted.price, take);
    return { ...parts, components, ...wanted } as Partial<Judgement>;
  }

  /** When, at which price and under which conditions the message is to be sent: all that is checked after the recipient. */
  private async judgeWish(
    body: SendMessageDto,
    { account, template, phone }: Partial<Pick<Judgement, 'account' | 'template' | 'phone'>>,
    take: TakeFault,
    canRead: (...parts: BodyPart[]) => boolean,
  ): Promise<Partial<Pick<Judgement, 'schedule' | 'validUntil' | 'price'>>> {
    const schedule = canRead('scheduled_at', 'timezone') ? this.scheduleOf(body, take) : undefined;
    const validUntil = canRead('valid_until') ? this.validityOf(body, schedule, take) : undefined;
    const price =
      account && template && phone
        ? await this.pricing.price(account, phone.digits, template.category)
        : undefined;
    const maxCost = canRead('max_cost') ? body.max_cost : null;
    if (price && maxCost != null) tell(take, costFault(maxCost, price));
    const expect = canRead('expect') ? body.expect : null;
    if (template && expect) tell(take, expectationFault(expect, template));
    return { schedule, validUntil, price } as Partial<Judgement>;
  }

  /** The template or its number's business account is another one by now. */
  forget({ account }: Pick<Judgement, 'account'>): void {
    this.accounts.forget(account);
    this.templates.forget(account.businessAccountId);
  }

  private findAccount({ tenantId }: Sender, body: SendMessageDto): Promise<SendingAccount> {
    const apiId = body.messaging_account_id;
    return apiId ? this.accounts.find(tenantId, apiId) : this.accounts.findOnly(tenantId);
  }

  private async findTemplate(
    { businessAccountId }: SendingAccount,
    { data }: SendMessageDto,
    take: TakeFault,
  ): Promise<KnownTemplate | undefined> {
    const language = data.language_code ?? 'en_US';
    const template = await this.templates.find(businessAccountId, data.name, language);
    const fault = template ? sendFault(template) : unknownTemplate(data.name, language);
    if (fault) take(fault);
    return template ?? undefined;
  }

  private async checkOptOut(
    { tenantId }: Sender,
    { digits }: Phone,
    template: KnownTemplate | undefined,
    take: TakeFault,
  ): Promise<void> {
    const scope = (await this.optOuts.among(tenantId, [digits], template?.category)).get(digits);
    if (scope) take(optedOut(scope));
  }

  private async checkSpending(
    { tenantId, apiKeyId }: Sender,
    { id }: SendingAccount,
    price: Cost | undefined,
    take: TakeFault,
  ): Promise<void> {
    if (!price) return;
    const { cost, currency } = price;
    const charge = { tenant_id: tenantId, messaging_account_id: id, api_key_id: apiKeyId, cost, currency };
    const limits = await this.spendLimits.reachedBy(charge);
    if (limits.length > 0) take(spendLimitReached(limits));
  }

  private scheduleOf(body: SendMessageDto, take: TakeFault): Schedule | undefined {
    const asked = { scheduledAt: body.scheduled_at, timezone: body.timezone };
    return resolveSchedule(asked, this.clock.now(), take);
  }

  private validityOf(
    { valid_until: asked }: SendMessageDto,
    schedule: Schedule | undefined,
    take: TakeFault,
  ): Date | null {
    const validUntil = asked == null ? null : utcOf(asked);
    // Nothing is due before now, whatever its schedule should have been.
    if (validUntil) tell(take, validityFault(validUntil, schedule?.dueAt ?? this.clock.now()));
    return validUntil;
  }
}

/** Hands on the fault that a rule has found, if it has. */
function tell(take: TakeFault, fault: ApiError | null): void {
  if (fault) take(fault);
}

/** The part of the body that carries parameters. */
export function parametersOf({ data }: SendMessageDto): TemplateParameters {
  return { components: data.components as WireComponent[] | undefined, params: data.params };
}
