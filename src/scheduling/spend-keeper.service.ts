import { Injectable } from '@nestjs/common';
import { SpendChangesService } from '../spending/spend-changes.service.js';
import { SpendWatchService } from '../spending/spend-watch.service.js';
import { KeepersService } from './keepers.service.js';

/** Tells people of limits that are nearly spent, and keeps the changes of their counters few. */
@Injectable()
export class SpendKeeperService {
  constructor(
    private readonly watch: SpendWatchService,
    private readonly changes: SpendChangesService,
    keepers: KeepersService,
  ) {
    const look = () => this.look();
    keepers.add({ work: 'telling of spending limits', interval: 2_000, patience: 30_000, look });
  }

  private async look(): Promise<void> {
    await this.watch.look();
    await this.changes.workIn();
  }
}
