import { Module } from '@nestjs/common';
import { MessageStatsService } from './message-stats.service.js';

/** Counts of messages by the hour. */
@Module({ providers: [MessageStatsService], exports: [MessageStatsService] })
export class StatisticsModule {}
