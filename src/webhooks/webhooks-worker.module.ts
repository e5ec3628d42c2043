import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AccountUpdatesService } from './account-updates.service.js';
import { InboundMessagesService } from './inbound-messages.service.js';
import { InboxProcessor } from './inbox.processor.js';
import { ReceiptConsequencesService } from './receipt-consequences.service.js';
import { RecipientWishesService } from './recipient-wishes.service.js';
import { ReplayOfAddedService } from './replay-of-added.service.js';
import { TemplateUpdatesService } from './template-updates.service.js';
import { WebhookApplierService } from './webhook-applier.service.js';
import { WebhooksModule } from './webhooks.module.js';

/** Applying what webhooks tell: in worker processes. */
@Module({
  imports: [
    AccountsModule,
    AlertsModule,
    TemplatesModule,
    NumbersModule,
    MessagesModule,
    OutboxModule,
    ProviderModule,
    RecipientsModule,
    WebhooksModule,
  ],
  providers: [
    InboxProcessor,
    ReplayOfAddedService,
    WebhookApplierService,
    ReceiptConsequencesService,
    RecipientWishesService,
    InboundMessagesService,
    TemplateUpdatesService,
    AccountUpdatesService,
  ],
})
export class WebhooksWorkerModule {}
