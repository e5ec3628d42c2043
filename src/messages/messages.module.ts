import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CancelService } from './cancel.service.js';
import { Hold } from '../outbox/holds/hold.entity.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { MessageLogStore } from './message-log.store.js';
import { MessageMetrics } from './message-metrics.js';
import { OutboxStore } from '../outbox/outbox.store.js';
import { OutcomesStore } from '../delivery/outcomes.store.js';
import { MessageTags } from './message-tags.js';
import { MessageQueries } from './lists/message-queries.js';
import { MessageStatsService } from '../statistics/message-stats.service.js';
import { MediaService } from './media.service.js';
import { NumberMovesService } from '../number-moves/number-moves.service.js';
import { PortfolioUseService } from '../numbers/portfolio-use.service.js';
import { MessagesService } from './messages.service.js';
import { TemplateBindingService } from '../outbox/template-binding.service.js';

/** Accepting messages and telling their fate: all that the API needs, and no queue. */
@Module({
  imports: [TypeOrmModule.forFeature([Hold]), AccountsModule, ProviderModule, TemplatesModule, PricingModule],
  providers: [
    MessagesService,
    MediaService,
    MessageLogStore,
    OutboxStore,
    OutcomesStore,
    MessageQueries,
    MessageTags,
    MessageMetrics,
    IdempotencyService,
    CancelService,
    HoldsService,
    LedgerService,
    MessageStatsService,
    PortfolioUseService,
    TemplateBindingService,
    NumberMovesService,
  ],
  exports: [
    MessagesService,
    MediaService,
    MessageLogStore,
    OutboxStore,
    OutcomesStore,
    MessageQueries,
    MessageTags,
    MessageMetrics,
    CancelService,
    HoldsService,
    LedgerService,
    MessageStatsService,
    PortfolioUseService,
    TemplateBindingService,
    NumberMovesService,
  ],
})
export class MessagesModule {}
