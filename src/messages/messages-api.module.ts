import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthenticationModule } from '../accounts/api-key-authentication.module.js';
import { EventsModule } from '../events/events.module.js';
import { HttpModule } from '../http/http.module.js';
import { BatchController } from './batch/batch.controller.js';
import { EventPull } from './events/event-pull.service.js';
import { EventsController } from './events/events.controller.js';
import { MessagesController } from './messages.controller.js';
import { MessagesModule } from './messages.module.js';

/** The endpoints of messages and events: in API processes. */
@Module({
  imports: [AccountsModule, ApiKeyAuthenticationModule, EventsModule, HttpModule, MessagesModule],
  controllers: [MessagesController, BatchController, EventsController],
  providers: [EventPull],
})
export class MessagesApiModule {}
