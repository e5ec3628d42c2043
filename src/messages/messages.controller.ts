import type { ServerResponse } from 'node:http';
import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { CallerGuard } from '../accounts/caller.guard.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import { NeedsScope } from '../accounts/needs-scope.js';
import { UncheckedBody } from '../http/unchecked-body.js';
import { ApiPublic } from '../openapi/api-docs.js';
import { ApiError } from '../common/errors.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { utcOf } from './schedule/iso-date-time.js';
import { normalizePhone } from '../recipients/domain/phone.js';
import { ApiCancel, ApiGetMessage, ApiListMessages, ApiSend, ApiValidate } from './dto/message-docs.dto.js';
import { ListMessagesQuery } from './dto/list-messages.dto.js';
import { SendMessageDto } from './dto/send-message.dto.js';
import { CancelService } from './cancel.service.js';
import { checkIdempotencyKey } from './idempotency.service.js';
import { MessageQueries } from './lists/message-queries.js';
import { MessagesService } from './messages.service.js';
import { ValidationService } from './validation.service.js';

/** Milliseconds for which a page that is not full is searched for further messages. */
const PATIENCE = 500;

@ApiPublic('Messages')
@UseGuards(CallerGuard)
@Controller('api/v1/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly validation: ValidationService,
    private readonly queries: MessageQueries,
    private readonly cancellation: CancelService,
    private readonly accounts: AccountsService,
  ) {}

  /** Queues a template message, at once or for a later time. */
  @ApiSend
  @NeedsScope('messages:send')
  @Post('send')
  @HttpCode(202)
  async send(
    @CurrentCaller() caller: Caller,
    @Body() body: SendMessageDto,
    @Headers('Idempotency-Key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: ServerResponse,
  ) {
    checkIdempotencyKey(idempotencyKey);
    const { traceparent } = response.req.headers as { traceparent?: string };
    const { acknowledgement, replayed } = await this.messages.send(caller, body, idempotencyKey, traceparent);
    if (replayed) response.setHeader('Idempotency-Replayed', 'true');
    return { success: true, data: acknowledgement };
  }

  /** Tells what would become of a send, with every fault at once. Nothing is stored, charged or counted. */
  @ApiValidate
  @NeedsScope('messages:send')
  @Post('validate')
  @HttpCode(200)
  async validate(@CurrentCaller() caller: Caller, @UncheckedBody() body: unknown) {
    return { success: true, data: await this.validation.validate(caller, body) };
  }

  /** Lists messages, newest first. */
  @ApiListMessages
  @NeedsScope('messages:read')
  @Get()
  async list(@CurrentCaller() caller: Caller, @Query() query: ListMessagesQuery) {
    const account = query.messaging_account_id
      ? await this.accounts.find(caller.tenantId, query.messaging_account_id)
      : undefined;
    const filter = {
      messagingAccountId: account?.id,
      status: query.status && [query.status],
      phone: query.phone && normalizePhone(query.phone).digits,
      template: query.template,
      clientReference: query.client_reference,
      createdFrom: query.created_from === undefined ? undefined : utcOf(query.created_from),
      createdTo: query.created_to === undefined ? undefined : utcOf(query.created_to),
    };
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const { messages, next } = await this.queries.search(caller.tenantId, filter, query.limit, after, {
      patience: PATIENCE,
    });
    return { success: true, data: messages, next_cursor: next && encodeCursor(next) };
  }

  /** The message log record with its event history. */
  @ApiGetMessage
  @NeedsScope('messages:read')
  @Get(':message_log_id')
  async find(@CurrentCaller() caller: Caller, @Param('message_log_id') id: string) {
    return { success: true, data: await this.record(caller, id) };
  }

  /** Withdraws a message that is still waiting, and refunds it. */
  @ApiCancel
  @NeedsScope('messages:send')
  @Post(':message_log_id/cancel')
  @HttpCode(200)
  async cancel(@CurrentCaller() caller: Caller, @Param('message_log_id') id: string) {
    const record = await this.record(caller, id);
    return { success: true, data: await this.cancellation.cancel(caller.tenantId, record) };
  }

  private async record(caller: Caller, id: string) {
    const record = /^\d{1,15}$/.test(id) ? await this.queries.find(caller.tenantId, Number(id)) : null;
    if (!record)
      throw new ApiError('MESSAGE_NOT_FOUND', 'There is no message with this id.', [
        { field: 'message_log_id' },
      ]);
    return record;
  }
}
