import { Body, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiKeysService } from '../../accounts/api-keys.service.js';
import { ApiError } from '../../common/errors.js';
import { LARGEST_INTEGER } from '../../http/validators.js';
import { PricingService } from '../../pricing/pricing.service.js';
import { describeLimit } from '../../spending/describe-limit.js';
import { type SpendLimitState, SpendLimitsService } from '../../spending/spend-limits.service.js';
import { SpendTargetsService } from '../../spending/spend-targets.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { SetSpendLimitRequest } from './dto.js';

/** What the tenant may spend, and has spent. */
@DashboardController('spend-limits')
@Requires('owner')
export class SpendLimitsController {
  constructor(
    private readonly limits: SpendLimitsService,
    private readonly targets: SpendTargetsService,
    private readonly pricing: PricingService,
    private readonly keys: ApiKeysService,
    private readonly audit: AuditLogService,
  ) {}

  /** The limits; with the currencies that messages are charged in, and the keys that a limit may be for. */
  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    const [limits, currencies, keys] = await Promise.all([
      this.limits.list(tenantId),
      this.pricing.currencies(),
      this.keys.list(tenantId),
    ]);
    const usable = keys.filter(({ revokedAt }) => revokedAt === null);
    return {
      success: true,
      data: {
        limits: limits.map(describeLimit),
        currencies,
        api_keys: usable.map(({ id, name }) => ({ api_key_id: id, name })),
      },
    };
  }

  /** Sets a limit, or changes its amount. */
  @Put()
  async set(@CurrentUser() user: SessionUser, @Body() body: SetSpendLimitRequest) {
    const { messaging_account_id, api_key_id, period, currency, amount } = body;
    const named = { messagingAccountId: messaging_account_id, apiKeyId: api_key_id };
    const target = await this.targets.find(user.tenantId, named);
    const id = await this.limits.set({ tenantId: user.tenantId, ...target, period, currency }, amount);
    const limit = (await this.limits.list(user.tenantId)).find((one) => one.spend_limit_id === id);
    if (limit) await this.audit.record(user, 'spend_limit.set', factsOf(limit));
    return { success: true, data: { spend_limit_id: id } };
  }

  @Delete(':spend_limit_id')
  async remove(@CurrentUser() user: SessionUser, @Param('spend_limit_id') id: string) {
    const isId = /^\d{1,10}$/.test(id) && Number(id) <= LARGEST_INTEGER;
    const limit = isId
      ? (await this.limits.list(user.tenantId)).find((one) => one.spend_limit_id === Number(id))
      : undefined;
    if (!limit || !(await this.limits.remove(user.tenantId, limit.spend_limit_id)))
      throw new ApiError('NOT_FOUND', 'There is no such limit.');
    await this.audit.record(user, 'spend_limit.removed', factsOf(limit));
    return { success: true, data: {} };
  }
}

/** What the audit log keeps of a limit. */
const factsOf = ({ spend_limit_id, scope, name, period, currency, amount }: SpendLimitState) => ({
  spend_limit_id,
  limit: scope,
  name,
  period,
  cost: { amount, currency },
});
