import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { SpendChangesService } from '../spending/spend-changes.service.js';
import { SpendWatchService } from '../spending/spend-watch.service.js';

/** Milliseconds between two looks. */
const CLOCK = 2_000;

/** Milliseconds without a good look after which the process is not ready. */
const PATIENCE = 30_000;

/** Tells people of limits that are nearly spent, and keeps the changes of their counters few, in one worker of all. */
@Injectable()
export class SpendKeeperService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SpendKeeperService.name);
  private readonly looks: Repeated;

  constructor(
    private readonly watch: SpendWatchService,
    private readonly changes: SpendChangesService,
    private readonly leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    this.looks = new Repeated(
      CLOCK,
      () => this.look(),
      (error) => this.logger.debug(`Spending limits not looked at: ${error.message}`),
      heartbeats.add('telling of spending limits', PATIENCE),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  private async look(): Promise<void> {
    if (!this.leases.isFirst) return;
    await this.watch.look();
    await this.changes.workIn();
  }
}
