import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';

/** Something that is looked after again and again. */
interface Kept {
  /** What is done, for the log and readiness. */
  work: string;
  /** Milliseconds between two looks. */
  interval: number;
  /** Milliseconds without a good look after which the process is not ready; not given where that says nothing. */
  patience?: number;
  /** How a look that failed is logged; the next one tries again. */
  log?: 'debug' | 'warn';
  look(): Promise<void>;
}

/**
 * Looks after what is needed once for all numbers, in the worker of the first shard; that two do it for a moment harms nothing.
 * Not on Bull, so that it goes on while Redis is out.
 */
@Injectable()
export class KeepersService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeepersService.name);
  private readonly all: Repeated[] = [];

  constructor(
    private readonly leases: ShardLeasesService,
    private readonly heartbeats: Heartbeats,
  ) {}

  /** To be called before the application has started. */
  add({ work, interval, patience, log = 'debug', look }: Kept): void {
    this.all.push(
      new Repeated(
        interval,
        async () => this.leases.isFirst && look(),
        (error) => this.logger[log](`This look has failed (${work}): ${error.message}`),
        patience === undefined ? undefined : this.heartbeats.add(work, patience),
      ),
    );
  }

  onApplicationBootstrap(): void {
    for (const each of this.all) each.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map((each) => each.stop()));
  }
}
