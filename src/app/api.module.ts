import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthenticationModule } from '../accounts/api-key-authentication.module.js';
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
    ApiKeyAuthenticationModule,
    TemplatesApiModule,
    MessagesApiModule,
    RecipientsApiModule,
    WebhookEndpointsApiModule,
    WebhooksApiModule,
    DashboardModule,
  ],
})
export class ApiModule {}
