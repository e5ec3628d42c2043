import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../events/events.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { EndpointHttp } from './endpoint-http.js';
import { EndpointSigner } from './endpoint-signer.service.js';
import { WebhookEndpointAttempt } from './webhook-endpoint-attempt.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Where tenants want their events posted to. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookEndpoint, WebhookEndpointAttempt]),
    AccountsModule,
    AlertsModule,
    EventsModule,
    MessagesModule,
  ],
  providers: [EndpointHttp, EndpointSigner, WebhookEndpointsService],
  exports: [EndpointHttp, EndpointSigner, WebhookEndpointsService],
})
export class WebhookEndpointsModule {}
