import { Body, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { SendMessageDto } from '../../messages/dto/send-message.dto.js';
import { MessagesService } from '../../messages/messages.service.js';
import { ValidationService } from '../../messages/validation.service.js';
import { UncheckedBody } from '../../http/unchecked-body.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';

/** Sends one message by hand, by the rules of the API. */
@DashboardController('messages')
@Requires('editor')
export class SendController {
  constructor(
    private readonly messages: MessagesService,
    private readonly validation: ValidationService,
    private readonly audit: AuditLogService,
  ) {}

  /** What would become of a send with this body, as the API tells it. Nothing is stored. */
  @Post('validate')
  @HttpCode(200)
  async validate(@CurrentUser() { tenantId }: SessionUser, @UncheckedBody() body: unknown) {
    return { success: true, data: await this.validation.validate({ tenantId }, body) };
  }

  /** Sends once for each idempotency key: the page makes a key for each form that it opens. */
  @Post('send')
  @HttpCode(202)
  async send(
    @CurrentUser() user: SessionUser,
    @Body() body: SendMessageDto,
    @Headers('Idempotency-Key') key: string | undefined,
  ) {
    if (!/^[\x21-\x7e]{1,255}$/.test(key ?? '')) {
      throw new ApiError(
        'VALIDATION_FAILED',
        'Send an Idempotency-Key of 1 to 255 visible ASCII characters.',
      );
    }
    const { acknowledgement, replayed } = await this.messages.send(user, body, key);
    if (!replayed) {
      const { name: template, language_code: language } = body.data;
      const { message_log_id } = acknowledgement;
      const scheduled_at = body.scheduled_at ?? null;
      await this.audit.record(user, 'message.sent', { message_log_id, template, language, scheduled_at });
    }
    return { success: true, data: acknowledgement };
  }
}
