import { Injectable } from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { SpendChangesService } from '../spending/spend-changes.service.js';
import { SpendWatchService } from '../spending/spend-watch.service.js';
import { Keeper } from './keeper.js';

/** Tells people of limits that are nearly spent, and keeps the changes of their counters few. */
@Injectable()
export class SpendKeeperService extends Keeper {
  constructor(
    private readonly watch: SpendWatchService,
    private readonly changes: SpendChangesService,
    leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    super('telling of spending limits', { clock: 2_000, patience: 30_000 }, leases, heartbeats);
  }

  protected async look(): Promise<void> {
    await this.watch.look();
    await this.changes.workIn();
  }
}
