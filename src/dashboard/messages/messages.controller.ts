import { Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { CancelService } from '../../messages/cancel.service.js';
import { decodeCursor, encodeCursor } from '../../http/cursor.js';
import { utcOf } from '../../messages/schedule/iso-date-time.js';
import { normalizePhone } from '../../recipients/domain/phone.js';
import type { MessageFilter } from '../../messages/lists/message-list.sql.js';
import { MessageQueries } from '../../messages/lists/message-queries.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { AtOnce, DashboardController, Live, Requires } from '../dashboard-controller.js';
import { CsvAnswerService } from '../exports/csv-answer.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { MessageDetailsQueries } from './message-details.js';
import { MessageExportService } from './message-export.service.js';
import { FilterMessagesQuery, SearchMessagesQuery } from './search-messages.dto.js';

/** Milliseconds that a search may go on for a further page. The first page has none: it is live, read every second. */
const PATIENCE = 1_000;

/** The sent page. */
@DashboardController('messages')
export class DashboardMessagesController {
  constructor(
    private readonly messages: MessageQueries,
    private readonly details: MessageDetailsQueries,
    private readonly exports: MessageExportService,
    private readonly csv: CsvAnswerService,
    private readonly cancellation: CancelService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /** Newest first. With `searched_to`, the search stopped there before the page was full: `next_cursor` goes on. */
  @Live()
  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser, @Query() query: SearchMessagesQuery) {
    const filter = await this.filterOf(tenantId, query);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const patience = after ? PATIENCE : 0;
    const page = await this.messages.search(tenantId, filter, query.limit, after, { patience });
    return {
      success: true,
      data: { messages: page.messages, searched_to: page.searchedTo },
      next_cursor: page.next && encodeCursor(page.next),
    };
  }

  /** What messages can be filtered by. */
  @Get('choices')
  async choices(@CurrentUser() { tenantId }: SessionUser) {
    return { success: true, data: await this.details.choices(tenantId) };
  }

  /** All that fit, as a CSV file. */
  @AtOnce('exports')
  @Get('export')
  async export(
    @CurrentUser() { tenantId }: SessionUser,
    @Query() query: FilterMessagesQuery,
    @Res() response: Response,
  ): Promise<void> {
    const rows = await this.exports.open(tenantId, await this.filterOf(tenantId, query));
    const day = this.clock.now().toISOString().slice(0, 10);
    await this.csv.send(response, `messages-${day}.csv`, rows);
  }

  @Live()
  @Get(':message_log_id')
  async find(@CurrentUser() { tenantId }: SessionUser, @Param('message_log_id') id: string) {
    const details = /^\d{1,15}$/.test(id) ? await this.details.find(tenantId, Number(id)) : null;
    return { success: true, data: details ?? missing() };
  }

  /** Cancels a message that is still waiting. */
  @Requires('editor')
  @Post(':message_log_id/cancel')
  @HttpCode(200)
  async cancel(@CurrentUser() user: SessionUser, @Param('message_log_id') id: string) {
    const record = /^\d{1,15}$/.test(id) ? await this.messages.find(user.tenantId, Number(id)) : null;
    if (!record) return missing();
    const canceled = await this.cancellation.cancel(user.tenantId, record);
    if (record.status !== 'canceled') {
      const { message_log_id, template } = record;
      await this.audit.record(user, 'message.canceled', { message_log_id, template: template.name });
    }
    return { success: true, data: canceled };
  }

  private async filterOf(tenantId: string, query: FilterMessagesQuery): Promise<MessageFilter> {
    const { messaging_account_id: apiId, created_from: from, created_to: to } = query;
    const account = apiId === undefined ? undefined : await this.accounts.find(tenantId, apiId);
    return {
      messagingAccountId: account?.id,
      status: query.status,
      phone: query.phone && normalizePhone(query.phone).digits,
      template: query.template,
      clientReference: query.client_reference,
      retry: query.retry,
      createdFrom: from === undefined ? undefined : utcOf(from),
      createdTo: to === undefined ? undefined : utcOf(to),
    };
  }
}

function missing(): never {
  throw new ApiError('MESSAGE_NOT_FOUND', 'There is no message with this id.', [{ field: 'message_log_id' }]);
}
