import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PricingService } from './pricing.service.js';
import { RateCard } from './rate-card.entity.js';

/** What a message costs. */
@Module({
  imports: [TypeOrmModule.forFeature([RateCard])],
  providers: [PricingService],
  exports: [PricingService],
})
export class PricingModule {}
