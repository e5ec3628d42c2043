import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../events/events.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { EndpointPump } from './endpoint-pump.service.js';
import { EndpointPushStore } from './endpoint-push.store.js';
import { EndpointPushesService } from './endpoint-pushes.service.js';
import { PushReads } from './push-reads.js';
import { WebhookEndpointsModule } from './webhook-endpoints.module.js';

/** Posting events to endpoints: in worker processes. */
@Module({
  imports: [AccountsModule, AlertsModule, EventsModule, MessagesModule, WebhookEndpointsModule],
  providers: [EndpointPump, EndpointPushStore, EndpointPushesService, PushReads],
})
export class WebhookEndpointsWorkerModule {}
