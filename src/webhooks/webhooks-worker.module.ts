import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AccountUpdates } from './account-updates.js';
import { InboxProcessor } from './inbox.processor.js';
import { ReceiptConsequences } from './receipt-consequences.js';
import { ReplayOfAdded } from './replay-of-added.js';
import { TemplateUpdates } from './template-updates.js';
import { WebhookApplier } from './webhook-applier.js';
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
    WebhooksModule,
  ],
  providers: [
    InboxProcessor,
    ReplayOfAdded,
    WebhookApplier,
    ReceiptConsequences,
    TemplateUpdates,
    AccountUpdates,
  ],
})
export class WebhooksWorkerModule {}
