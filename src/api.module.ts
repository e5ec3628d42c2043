import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeyAuthentication } from './accounts/api-key-authentication.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesModule } from './messages/messages.module.js';
import { TemplatesController } from './templates/templates.controller.js';
import { TemplatesModule } from './templates/templates.module.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What an API process answers. It needs PostgreSQL, and neither Redis nor the provider. */
@Module({
  imports: [AccountsModule, TemplatesModule, MessagesModule, WebhooksModule],
  controllers: [TemplatesController, MessagesController, WebhooksController],
  providers: [ApiKeyAuthentication],
})
export class ApiModule {}
