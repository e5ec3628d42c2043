import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthentication } from '../accounts/api-key-authentication.js';
import { DashboardModule } from '../dashboard/dashboard.module.js';
import { MessagesController } from '../messages/messages.controller.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TemplatesController } from '../templates/templates.controller.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { HearingService } from '../webhooks/hearing.service.js';
import { WebhooksController } from '../webhooks/webhooks.controller.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** What an API process answers. It needs PostgreSQL, and neither Redis nor the provider. */
@Module({
  imports: [AccountsModule, TemplatesModule, MessagesModule, WebhooksModule, DashboardModule],
  controllers: [TemplatesController, MessagesController, WebhooksController],
  providers: [ApiKeyAuthentication, HearingService],
})
export class ApiModule {}
