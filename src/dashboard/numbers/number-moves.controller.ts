import { Body, HttpCode, Param, Post } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { NumberMovesService } from '../../number-moves/number-moves.service.js';
import { accountOf } from '../../templates/template-account.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { listFault } from '../templates/list-fault.js';
import { ConnectionTestService } from './connection-test.service.js';
import { MoveNumberBody } from './numbers.dto.js';

/** Moves a number to another business account, after the provider has moved it. */
@Requires('owner')
@DashboardController('numbers')
export class NumberMovesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly moves: NumberMovesService,
    private readonly connection: ConnectionTestService,
    private readonly audit: AuditLogService,
  ) {}

  /** Answers when all waiting messages are bound or held. If the request is cut short, a worker goes on. */
  @Post(':messaging_account_id/move')
  @HttpCode(200)
  async move(
    @CurrentUser() user: SessionUser,
    @Param('messaging_account_id') apiId: string,
    @Body() { business_account_id, phone_number_id: newId }: MoveNumberBody,
  ) {
    const number = await this.accounts.find(user.tenantId, apiId);
    const to = await accountOf(this.accounts, user.tenantId, business_account_id);
    await this.connection.number(to.accessToken, newId ?? number.phoneNumberId);
    const result = await this.moves.move(number, to, newId).catch((error) => {
      throw listFault(error);
    });
    const moved = { messaging_account_id: apiId, ...result };
    await this.audit.record(user, 'number.moved', { ...moved, waba_id: to.wabaId });
    return { success: true, data: moved };
  }
}
