import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { EventsModule } from '../events/events.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { SpendingModule } from '../spending/spending.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { BatchService } from './batch/batch.service.js';
import { BatchStore } from './batch/batch.store.js';
import { CancelService } from './cancel.service.js';
import { EventStream } from './events/event-stream.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { JudgementService } from './judgement.service.js';
import { MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { MessageTagsService } from './message-tags.service.js';
import { MessageQueries } from './lists/message-queries.js';
import { MediaService } from './media.service.js';
import { MessagesService } from './messages.service.js';
import { MessageTraces } from './traces/message-traces.service.js';
import { ValidationService } from './validation.service.js';

/** Accepting messages and telling their fate: all that the API needs, and no queue. */
@Module({
  imports: [
    AccountsModule,
    EventsModule,
    ProviderModule,
    TemplatesModule,
    PricingModule,
    RecipientsModule,
    SpendingModule,
  ],
  providers: [
    JudgementService,
    MessagesService,
    MediaService,
    MessageLogStore,
    MessageQueries,
    MessageTagsService,
    MessageMetrics,
    MessageTraces,
    IdempotencyService,
    BatchService,
    BatchStore,
    CancelService,
    ValidationService,
    EventStream,
  ],
  exports: [
    MessagesService,
    MediaService,
    MessageLogStore,
    MessageQueries,
    MessageTagsService,
    MessageMetrics,
    MessageTraces,
    CancelService,
    ValidationService,
    BatchService,
    EventStream,
  ],
})
export class MessagesModule {}
