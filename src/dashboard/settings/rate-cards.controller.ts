import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { utcOf } from '../../messages/schedule/iso-date-time.js';
import { PricingService } from '../../pricing/pricing.service.js';
import type { RateCard } from '../../pricing/rate-card.entity.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { LoadRateCardRequest } from './dto.js';
import { readCard, requireOperator } from './rate-card-input.js';

/** Milliseconds that the time of a form may lie in the past: filling it in takes a while. */
const PAST_TOLERANCE = 60_000;

/** The rate card, which all tenants share: everybody sees it, operators replace it. */
@DashboardController('rate-cards')
export class RateCardsController {
  constructor(
    private readonly pricing: PricingService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    const [inForce, upcoming, tenant] = await Promise.all([
      this.pricing.inForce(),
      this.pricing.upcoming(),
      this.accounts.findTenant(tenantId),
    ]);
    const cards = { in_force: inForce && describe(inForce), upcoming: upcoming.map(describe) };
    return { success: true, data: { ...cards, markup_percent: tenant?.markupPercent ?? '0' } };
  }

  /** Loads a card. When its time has come, it replaces the one in force. */
  @Post()
  @HttpCode(201)
  async load(@CurrentUser() user: SessionUser, @Body() { csv, effective_from }: LoadRateCardRequest) {
    requireOperator(user);
    const rates = readCard(csv);
    const from = this.startOf(effective_from);
    await this.pricing.load(csv, from);
    await this.audit.record(user, 'rate_card.loaded', { rates: rates.length, effective_from: from });
    return { success: true, data: { rates: rates.length, effective_from: from } };
  }

  private startOf(effectiveFrom: string | undefined): Date {
    const now = this.clock.now();
    if (effectiveFrom === undefined) return now;
    const from = utcOf(effectiveFrom);
    if (from.getTime() >= now.getTime() - PAST_TOLERANCE) return from;
    const message = 'A card takes effect now or later: what was charged is not changed.';
    throw new ApiError('VALIDATION_FAILED', message, [{ field: 'effective_from', message }]);
  }
}

function describe({ id, effectiveFrom, loadedAt, rates }: RateCard) {
  return { rate_card_id: id, effective_from: effectiveFrom, loaded_at: loadedAt, rates };
}
