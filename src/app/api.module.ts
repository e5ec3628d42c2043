import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthentication } from '../accounts/api-key-authentication.js';
import { DashboardModule } from '../dashboard/dashboard.module.js';
import { MessagesApiModule } from '../messages/messages-api.module.js';
import { RecipientsApiModule } from '../recipients/recipients-api.module.js';
import { TemplatesApiModule } from '../templates/templates-api.module.js';
import { WebhookEndpointsApiModule } from '../webhook-endpoints/webhook-endpoints-api.module.js';
import { WebhooksApiModule } from '../webhooks/webhooks-api.module.js';

/** What an API process answers. It needs PostgreSQL, and neither Redis nor the provider. */
@Module({
  imports: [
    AccountsModule,
    TemplatesApiModule,
    MessagesApiModule,
    RecipientsApiModule,
    WebhookEndpointsApiModule,
    WebhooksApiModule,
    DashboardModule,
  ],
  providers: [ApiKeyAuthentication],
})
export class ApiModule {}
