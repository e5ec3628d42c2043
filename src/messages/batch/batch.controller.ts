import type { ServerResponse } from 'node:http';
import { Controller, Headers, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiKeyAuthentication } from '../../accounts/api-key-authentication.js';
import type { Caller } from '../../accounts/api-keys.service.js';
import { CallerGuard } from '../../accounts/caller.guard.js';
import { CurrentCaller } from '../../accounts/current-caller.js';
import { NeedsScope } from '../../accounts/needs-scope.js';
import { BodyLimit } from '../../http/body-limit.js';
import { UncheckedBody } from '../../http/unchecked-body.js';
import { ApiPublic } from '../../openapi/api-docs.js';
import { ApiBatch } from '../dto/batch-docs.dto.js';
import { checkIdempotencyKey } from '../idempotency.service.js';
import { messagesIn } from './batch-body.js';
import { BatchService } from './batch.service.js';

@ApiPublic('Messages')
@UseGuards(CallerGuard)
@Controller('api/v1/messages')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly keys: ApiKeyAuthentication,
  ) {}

  /** Queues up to 1,000 template messages in one request. */
  @ApiBatch
  @NeedsScope('messages:send')
  @BodyLimit(2 * 1024 * 1024)
  @Post('batch')
  @HttpCode(200)
  async send(
    @CurrentCaller() caller: Caller,
    @UncheckedBody() body: unknown,
    @Headers('Idempotency-Key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: ServerResponse,
  ) {
    checkIdempotencyKey(idempotencyKey);
    const { traceparent } = response.req.headers as { traceparent?: string };
    const messages = messagesIn(body);
    await this.keys.countMore(caller, messages.length - 1); // as if they came one by one
    const { answer, replayed } = await this.batches.send(caller, messages, idempotencyKey, traceparent);
    if (replayed) response.setHeader('Idempotency-Replayed', 'true');
    return { success: true, data: answer };
  }
}
