import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { CampaignExpiryService } from './campaign-expiry.service.js';
import { CampaignFeederService } from './campaign-feeder.service.js';
import { CampaignsModule } from './campaigns.module.js';

/** What workers do for campaigns. */
@Module({
  imports: [CampaignsModule, MessagesModule],
  providers: [CampaignFeederService, CampaignExpiryService],
})
export class CampaignsWorkerModule {}
