import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CampaignCheckService } from './campaign-check.service.js';
import { CampaignOutlookService } from './campaign-outlook.service.js';
import { CampaignProgressService } from './campaign-progress.service.js';
import { CampaignStore } from './campaign.store.js';
import { CampaignsService } from './campaigns.service.js';
import { RecipientsStore } from './recipients.store.js';

/** Sending one template to many: all that people do with campaigns. */
@Module({
  imports: [AccountsModule, TemplatesModule, PricingModule, MessagesModule, RecipientsModule],
  providers: [
    CampaignsService,
    CampaignCheckService,
    CampaignOutlookService,
    CampaignProgressService,
    CampaignStore,
    RecipientsStore,
  ],
  exports: [
    CampaignsService,
    CampaignCheckService,
    CampaignOutlookService,
    CampaignProgressService,
    CampaignStore,
    RecipientsStore,
  ],
})
export class CampaignsModule {}
