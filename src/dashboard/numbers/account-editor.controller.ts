import { Body, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AccountChangesService } from '../../accounts/account-changes.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiError } from '../../common/errors.js';
import { normalizePhone } from '../../recipients/domain/phone.js';
import { accountOf } from '../../templates/template-account.js';
import { TemplateSyncService } from '../../templates/template-sync.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ConnectionTestService } from './connection-test.service.js';
import {
  BusinessAccountBody,
  ChangeBusinessAccountBody,
  ChangeNumberBody,
  NumberBody,
  TestBusinessAccountBody,
  TestNumberBody,
} from './numbers.dto.js';

/** Adds and changes business accounts and numbers. What the provider refuses is not stored. */
@Requires('owner')
@DashboardController('numbers')
export class AccountEditorController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly changes: AccountChangesService,
    private readonly connection: ConnectionTestService,
    private readonly templates: TemplateSyncService,
    private readonly audit: AuditLogService,
  ) {}

  @Post('business-accounts/test')
  @HttpCode(200)
  async testBusinessAccount(@CurrentUser() { tenantId }: SessionUser, @Body() body: TestBusinessAccountBody) {
    await this.connection.businessAccount(await this.tokenFor(tenantId, body), body.waba_id);
    return { success: true, data: { waba_id: body.waba_id } };
  }

  @Post('business-accounts')
  async addBusinessAccount(@CurrentUser() user: SessionUser, @Body() body: BusinessAccountBody) {
    const { waba_id: wabaId, access_token: accessToken, app_secret: appSecret, app_id: appId = null } = body;
    await this.connection.businessAccount(accessToken, wabaId);
    const { tenantId } = user;
    const { id } = await this.accounts.addBusinessAccount({
      tenantId,
      wabaId,
      appId,
      accessToken,
      appSecret,
    });
    await this.audit.record(user, 'business_account.added', { business_account_id: id, waba_id: wabaId });
    this.templates.refresh(id);
    return { success: true, data: { business_account_id: id } };
  }

  @Patch('business-accounts/:id')
  async changeBusinessAccount(
    @CurrentUser() user: SessionUser,
    @Param('id') id: string,
    @Body() body: ChangeBusinessAccountBody,
  ) {
    const account = await this.findAccount(user.tenantId, id);
    const { access_token: accessToken, app_secret: appSecret, app_id: appId } = body;
    if (accessToken !== undefined) await this.connection.businessAccount(accessToken, account.wabaId);
    await this.changes.changeBusinessAccount(account, { appId, accessToken, appSecret });
    const details = { business_account_id: id, waba_id: account.wabaId, changed: given(body) };
    await this.audit.record(user, 'business_account.changed', details);
    if (accessToken !== undefined) this.templates.refresh(id);
    return { success: true, data: { business_account_id: id } };
  }

  /** What the provider knows of a number; fields that it does not tell are null. */
  @Post('test')
  @HttpCode(200)
  async testNumber(@CurrentUser() { tenantId }: SessionUser, @Body() body: TestNumberBody) {
    const account = await this.findAccount(tenantId, body.business_account_id);
    const number = await this.connection.number(account.accessToken, body.phone_number_id);
    const { display_phone_number = null, verified_name = null, quality_rating = null } = number;
    return { success: true, data: { display_phone_number, verified_name, quality_rating } };
  }

  @Post()
  async addNumber(@CurrentUser() user: SessionUser, @Body() body: NumberBody) {
    const { phone_number_id: phoneNumberId, name, messages_per_second: messagesPerSecond } = body;
    const phone = normalizePhone(body.phone).digits;
    const account = await this.findAccount(user.tenantId, body.business_account_id);
    await this.connection.number(account.accessToken, phoneNumberId);
    const { apiId } = await this.accounts.addNumber(account, {
      phoneNumberId,
      phone,
      name,
      messagesPerSecond,
    });
    await this.audit.record(user, 'number.added', { messaging_account_id: apiId, ...body, phone });
    return { success: true, data: { messaging_account_id: apiId } };
  }

  @Patch(':messaging_account_id')
  async changeNumber(
    @CurrentUser() user: SessionUser,
    @Param('messaging_account_id') apiId: string,
    @Body() body: ChangeNumberBody,
  ) {
    const number = await this.accounts.find(user.tenantId, apiId);
    const phone = body.phone === undefined ? undefined : normalizePhone(body.phone).digits;
    const { phone_number_id: phoneNumberId, name, messages_per_second: messagesPerSecond } = body;
    if (phoneNumberId !== undefined && phoneNumberId !== number.phoneNumberId) {
      const account = await this.findAccount(user.tenantId, number.businessAccountId);
      await this.connection.number(account.accessToken, phoneNumberId);
    }
    await this.changes.changeNumber(number, { phoneNumberId, phone, name, messagesPerSecond });
    await this.audit.record(user, 'number.changed', { messaging_account_id: apiId, changed: given(body) });
    return { success: true, data: { messaging_account_id: apiId } };
  }

  /** @throws ApiError ACCOUNT_NOT_FOUND, for another tenant's account too */
  private async findAccount(tenantId: string, id: string) {
    return accountOf(this.accounts, tenantId, UUID.test(id) ? id : NO_ACCOUNT);
  }

  private async tokenFor(
    tenantId: string,
    { access_token, business_account_id }: TestBusinessAccountBody,
  ): Promise<string> {
    if (access_token !== undefined) return access_token;
    if (business_account_id !== undefined)
      return (await this.findAccount(tenantId, business_account_id)).accessToken;
    const message = 'Enter the access token that is to be tested.';
    throw new ApiError('VALIDATION_FAILED', message, [{ field: 'access_token', message }]);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** The names of a body's fields, for the audit log: of secrets, nothing but the name may stand there. */
function given(body: object): string[] {
  return Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
