import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { CampaignExpiry } from './campaign-expiry.js';
import { CampaignFeeder } from './campaign-feeder.js';
import { CampaignsModule } from './campaigns.module.js';

/** What workers do for campaigns. */
@Module({ imports: [CampaignsModule, MessagesModule], providers: [CampaignFeeder, CampaignExpiry] })
export class CampaignsWorkerModule {}
