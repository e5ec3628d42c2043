import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import type { ApiError } from '../common/errors.js';
import { Config } from '../config/config.js';
import { costFault, expectationFault, isOver } from '../messages/domain/conditions.js';
import { EXPIRED, OLD_CODE, type UnwantedError } from '../messages/domain/message-error.js';
import type { ClaimedMessage } from '../outbox/outbox.store.js';
import { PricingService } from '../pricing/pricing.service.js';
import { keepsBack, type OptOutScope } from '../recipients/domain/opt-out.js';
import { optedOut } from '../recipients/opt-outs.service.js';
import { type KnownTemplate, TemplatesService } from '../templates/templates.service.js';

/**
 * Judges a claimed message once more, before its call: what held when it was accepted may hold no longer. Reads nothing but
 * caches, and these only for messages that have a condition, or whose recipient has opted out.
 */
@Injectable()
export class ClaimCheckService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly templates: TemplatesService,
    private readonly pricing: PricingService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Why the message must not be sent any more; null when it may go. */
  async faultOf(message: ClaimedMessage): Promise<UnwantedError | null> {
    const now = this.clock.now();
    if (isOver(message, now)) return EXPIRED;
    if (this.isOldCode(message, now)) return OLD_CODE;
    if (message.opt_out_scope && (await this.isKeptBack(message, message.opt_out_scope)))
      return asError('RECIPIENT_OPTED_OUT', 'The recipient has opted out', optedOut(message.opt_out_scope));
    if (message.max_cost === null && message.expect === null) return null;
    const template = await this.templateOf(message);
    return (await this.costFault(message, template)) ?? expectationFaultOf(message, template);
  }

  /** As EXPIRE finds them: what it has not seen yet, as after an outage of all workers, must not go either. */
  private isOldCode({ conversation_category, wanted_at }: ClaimedMessage, now: Date): boolean {
    const budget = this.config.RETRY_BUDGET_AUTHENTICATION * 1000;
    return conversation_category === 'AUTHENTICATION' && wanted_at.getTime() + budget < now.getTime();
  }

  /** What was accepted as marketing stays so; what the provider has made marketing since then is so too. */
  private async isKeptBack(message: ClaimedMessage, scope: OptOutScope): Promise<boolean> {
    if (keepsBack(scope, message.conversation_category)) return true;
    return keepsBack(scope, (await this.templateOf(message))?.category);
  }

  /** As it is now. Null when the provider has it no longer: then its answer decides. */
  private templateOf(message: ClaimedMessage): Promise<KnownTemplate | null> {
    return this.templates.find(message.business_account_id, message.template_name, message.language);
  }

  private async costFault(
    message: ClaimedMessage,
    template: KnownTemplate | null,
  ): Promise<UnwantedError | null> {
    if (message.max_cost === null) return null;
    const account = await this.accounts.findById(message.messaging_account_id);
    if (!account) return null;
    const category = template?.category ?? message.conversation_category;
    const fault = costFault(message.max_cost, await this.pricing.price(account, message.phone, category));
    return fault && asError('COST_ABOVE_MAX', 'It would cost more than its max_cost', fault);
  }
}

function expectationFaultOf(
  { expect }: ClaimedMessage,
  template: KnownTemplate | null,
): UnwantedError | null {
  const fault = expect && template && expectationFault(expect, template);
  return fault && asError('EXPECTATION_FAILED', 'The template is not what was expected any more', fault);
}

const asError = (code: UnwantedError['code'], title: string, { message }: ApiError): UnwantedError => ({
  code,
  title,
  details: message,
});
