import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsModule } from './webhook-endpoints.module.js';

/** The operations of webhook endpoints: in API processes. */
@Module({ imports: [AccountsModule, WebhookEndpointsModule], controllers: [WebhookEndpointsController] })
export class WebhookEndpointsApiModule {}
