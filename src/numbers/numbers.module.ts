import { Module } from '@nestjs/common';
import { NumberFactsStore } from './number-facts.store.js';
import { PortfolioUseService } from './portfolio-use.service.js';

/** What the provider says of numbers, and how much of their limits is used. */
@Module({
  providers: [NumberFactsStore, PortfolioUseService],
  exports: [NumberFactsStore, PortfolioUseService],
})
export class NumbersModule {}
