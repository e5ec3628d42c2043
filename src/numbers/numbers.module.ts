import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { NumberFactsStore } from './number-facts.store.js';
import { PortfolioUseService } from './portfolio-use.service.js';

/** What the provider says of numbers, and how much of their limits is used. */
@Module({
  imports: [AlertsModule],
  providers: [NumberFactsStore, PortfolioUseService],
  exports: [NumberFactsStore, PortfolioUseService],
})
export class NumbersModule {}
