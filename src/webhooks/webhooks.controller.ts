import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Body, Controller, Get, Headers, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiError } from '../common/errors.js';
import { failPoint } from '../common/fail-point.js';
import { Config } from '../config/config.js';
import { isAboutMessages } from './domain/read-webhook.js';
import { textOf } from './domain/wire-values.js';
import { InboxService } from './inbox.service.js';
import { SignatureService } from './signature.service.js';
import { WebhookArrivalsService } from './webhook-arrivals.service.js';
import { WebhookFailuresService } from './webhook-failures.service.js';

/** Where the provider delivers its webhooks. */
@ApiExcludeController()
@Controller('webhooks/provider')
export class WebhooksController {
  private readonly verifyToken: Buffer;

  constructor(
    private readonly signatures: SignatureService,
    private readonly inbox: InboxService,
    private readonly arrivals: WebhookArrivalsService,
    private readonly failures: WebhookFailuresService,
    config: Config,
  ) {
    this.verifyToken = Buffer.from(config.WEBHOOK_VERIFY_TOKEN);
  }

  /** Answers the provider's challenge when the address is registered there. */
  @Get()
  async challenge(
    @Query() query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const token = Buffer.from(textOf(query['hub.verify_token']));
    const fits = token.length === this.verifyToken.length && timingSafeEqual(token, this.verifyToken);
    if (query['hub.mode'] !== 'subscribe' || !fits) {
      await this.failures.note(request, 'verify_token');
      throw new ApiError('FORBIDDEN', 'hub.verify_token is not the WEBHOOK_VERIFY_TOKEN of this service.');
    }
    response.type('text/plain').send(textOf(query['hub.challenge']));
  }

  /** Takes a delivery: signature, inbox, 200. What it says is applied afterwards. */
  @Post()
  @HttpCode(200)
  async receive(
    @Body() raw: unknown,
    @Headers('X-Hub-Signature-256') signature: string | undefined,
    @Req() request: IncomingMessage,
  ) {
    const body = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
    const { accountIds, text, delivery, isTest } = await this.signatures.verify(body, signature, request);
    if (isTest) return { success: true, data: null };
    const tellsOfMessages = isAboutMessages(delivery);
    await this.inbox.put(text, tellsOfMessages);
    failPoint('after-inbox-put');
    this.arrivals.note(accountIds, tellsOfMessages ? 'messages' : 'other');
    return { success: true, data: null };
  }
}
