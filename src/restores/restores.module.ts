import { Module } from '@nestjs/common';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ForgottenMessagesService } from './forgotten-messages.service.js';
import { RestoresService } from './restores.service.js';

/** What happens after the database was restored to an earlier moment: for commands only. */
@Module({
  imports: [CampaignsModule, MessagesModule, OutboxModule],
  providers: [RestoresService, ForgottenMessagesService],
  exports: [RestoresService],
})
export class RestoresModule {}
