import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import type { ShardLeasesService } from '../shards/shard-leases.service.js';

/** How often a keeper looks. */
export interface KeeperTimes {
  /** Milliseconds between two looks. */
  clock: number;
  /** Milliseconds without a good look after which the process is not ready. */
  patience: number;
}

/**
 * Looks after something again and again in one worker, that of the first shard; that two do it for a moment harms nothing. Not on
 * Bull, so that it goes on while Redis is out.
 */
export abstract class Keeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly looks: Repeated;

  /** @param work what it does, for readiness and the log */
  constructor(
    work: string,
    { clock, patience }: KeeperTimes,
    leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    this.looks = new Repeated(
      clock,
      async () => leases.isFirst && this.look(),
      (error) => this.logger.debug(`This look has failed (${work}): ${error.message}`),
      heartbeats.add(work, patience),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  protected abstract look(): Promise<void>;
}
