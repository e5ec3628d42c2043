import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { SpendChangesService } from './spend-changes.service.js';
import { SpendLimitsService } from './spend-limits.service.js';
import { SpendTargetsService } from './spend-targets.service.js';
import { SpendWatchService } from './spend-watch.service.js';

/** Limits of what may be spent. */
@Module({
  imports: [AccountsModule, AlertsModule],
  providers: [SpendChangesService, SpendLimitsService, SpendTargetsService, SpendWatchService],
  exports: [SpendChangesService, SpendLimitsService, SpendTargetsService, SpendWatchService],
})
export class SpendingModule {}
