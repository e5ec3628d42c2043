import { Module } from '@nestjs/common';
import { MailChannel } from './notices/mail-channel.js';
import { NoticesService } from './notices/notices.service.js';
import { NoticesStore } from './notices/notices.store.js';
import { WebhookChannel } from './notices/webhook-channel.js';

/** Telling the operator of alerts by mail and to a webhook: in worker processes. */
@Module({ providers: [MailChannel, NoticesService, NoticesStore, WebhookChannel] })
export class AlertsWorkerModule {}
