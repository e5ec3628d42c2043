import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../common/errors.js';
import { Config } from '../../config/config.js';
import { HoldsService } from '../../outbox/holds/holds.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Live, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { CurrentRatesService } from './current-rates.service.js';
import { type NumberRow, NumbersQueries, WAITING_LIMIT } from './numbers-queries.js';

/** The numbers as they are now, their holds, and the address for webhooks. */
@DashboardController('numbers')
export class NumbersController {
  constructor(
    private readonly queries: NumbersQueries,
    private readonly rates: CurrentRatesService,
    private readonly holds: HoldsService,
    private readonly audit: AuditLogService,
    private readonly config: Config,
  ) {}

  @Live()
  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    const [numbers, accounts, holds] = await Promise.all([
      this.queries.numbers(tenantId),
      this.queries.businessAccounts(tenantId),
      this.queries.holds(tenantId),
    ]);
    const shown = await Promise.all(numbers.map((row) => this.present(row)));
    const business_accounts = accounts.map((account) => ({
      ...account,
      numbers: shown.filter(({ business_account_id: id }) => id === account.business_account_id),
    }));
    return { success: true, data: { business_accounts, holds } };
  }

  /** The address to which the provider has to send its webhooks, as seen from this request. */
  @Get('webhook')
  webhook(@Req() request: Request) {
    return { success: true, data: { url: `${request.protocol}://${request.host}/webhooks/provider` } };
  }

  /** The verify token that the provider's form asks for with the address; it is the same for all tenants. */
  @Requires('owner')
  @Get('webhook/verify-token')
  verifyToken() {
    return { success: true, data: { verify_token: this.config.WEBHOOK_VERIFY_TOKEN } };
  }

  /** Ends a hold: its messages go out at once. */
  @Requires('editor')
  @Post('holds/:hold_id/lift')
  @HttpCode(200)
  async lift(@CurrentUser() user: SessionUser, @Param('hold_id') id: string) {
    const hold = (await this.queries.holds(user.tenantId)).find(({ hold_id }) => String(hold_id) === id);
    if (!hold || !(await this.holds.lift(hold.hold_id, 'dashboard'))) {
      throw new ApiError('NOT_FOUND', 'This hold has ended already.');
    }
    const { hold_id, scope, cause, error, business_account_id, number, template } = hold;
    const target = { business_account_id, ...number, ...template };
    await this.audit.record(user, 'hold.lifted', {
      hold_id,
      scope,
      cause,
      error_code: error.code,
      ...target,
    });
    return { success: true, data: { hold_id } };
  }

  private async present({ id, ...row }: NumberRow) {
    const current_rate = await this.rates.of({ id, messages_per_second: row.messages_per_second });
    return { ...row, waiting_is_more: row.waiting === WAITING_LIMIT, current_rate };
  }
}
