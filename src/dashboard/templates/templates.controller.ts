import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { checkInputBounds } from '../../http/input-bounds.js';
import { LARGEST_INTEGER } from '../../http/validators.js';
import type { SyncResult } from '../../templates/template.store.js';
import { TemplateSyncService } from '../../templates/template-sync.service.js';
import { DashboardController, Live, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ListTemplatesQuery, SyncTemplatesBody } from './list-templates.dto.js';
import { listFault } from './list-fault.js';
import { TemplateQueries, type TemplatePosition } from './template-queries.js';

/** The templates as the page shows them. */
@DashboardController('templates')
export class DashboardTemplatesController {
  constructor(
    private readonly queries: TemplateQueries,
    private readonly syncs: TemplateSyncService,
  ) {}

  @Live()
  @Get()
  async list(@CurrentUser() user: SessionUser, @Query() query: ListTemplatesQuery) {
    const { limit, cursor, messaging_account_id: messagingAccountId, ...filter } = query;
    const after = cursor === undefined ? null : decodePosition(cursor);
    const { rows, next } = await this.queries.list(
      user.tenantId,
      { ...filter, messagingAccountId },
      limit,
      after,
    );
    return { success: true, data: rows, next_cursor: next && encodePosition(next) };
  }

  /** The choices of the list's filters, and the business accounts that can be synced. */
  @Live()
  @Get('facets')
  async facets(@CurrentUser() { tenantId }: SessionUser) {
    const [languages, business_accounts] = await Promise.all([
      this.queries.languages(tenantId),
      this.queries.businessAccounts(tenantId),
    ]);
    return { success: true, data: { languages, business_accounts } };
  }

  /** Copies the provider's list now. */
  @Requires('editor')
  @Post('sync')
  @HttpCode(200)
  async sync(@CurrentUser() { tenantId }: SessionUser, @Body() { business_account_id }: SyncTemplatesBody) {
    const accounts = (await this.queries.businessAccounts(tenantId)) as { business_account_id: string }[];
    if (!accounts.some((account) => account.business_account_id === business_account_id)) {
      throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no such business account.', [
        { field: 'business_account_id' },
      ]);
    }
    return { success: true, data: await this.copy(business_account_id) };
  }

  @Live()
  @Get(':template_id')
  async find(@CurrentUser() { tenantId }: SessionUser, @Param('template_id') id: string) {
    const template = /^\d{1,9}$/.test(id) ? await this.queries.find(tenantId, Number(id)) : null;
    if (!template) throw new ApiError('TEMPLATE_NOT_FOUND', 'There is no such template.');
    return { success: true, data: template };
  }

  private async copy(businessAccountId: string): Promise<SyncResult> {
    try {
      return await this.syncs.sync(businessAccountId);
    } catch (error) {
      throw listFault(error);
    }
  }
}

function isInteger(id: unknown): id is number {
  return Number.isInteger(id) && Math.abs(id as number) <= LARGEST_INTEGER;
}

function encodePosition({ name, language, id }: TemplatePosition): string {
  return Buffer.from(JSON.stringify([name, language, id])).toString('base64url');
}

/** @throws ApiError VALIDATION_FAILED when the cursor is not one that the list has given */
function decodePosition(cursor: string): TemplatePosition {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    checkInputBounds(decoded);
    const [name, language, id] = decoded as unknown[];
    if (typeof name === 'string' && typeof language === 'string' && isInteger(id))
      return { name, language, id };
  } catch {
    // The error is thrown below.
  }
  throw new ApiError('VALIDATION_FAILED', 'cursor must be the next_cursor of an earlier answer.', [
    { field: 'cursor' },
  ]);
}
