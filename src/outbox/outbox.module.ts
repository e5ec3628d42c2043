import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DoubtfulMessagesService } from './doubtful-messages.service.js';
import { HoldAlertsService } from './holds/hold-alerts.service.js';
import { Hold } from './holds/hold.entity.js';
import { HoldsService } from './holds/holds.service.js';
import { OutboxStore } from './outbox.store.js';
import { TemplateBindingService } from './template-binding.service.js';

/** What waits or is under way, and what it waits for. */
@Module({
  imports: [TypeOrmModule.forFeature([Hold]), AlertsModule, MessagesModule],
  providers: [OutboxStore, HoldsService, HoldAlertsService, TemplateBindingService, DoubtfulMessagesService],
  exports: [OutboxStore, HoldsService, HoldAlertsService, TemplateBindingService, DoubtfulMessagesService],
})
export class OutboxModule {}
