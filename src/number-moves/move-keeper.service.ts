import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeated } from '../common/repeated.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { NumberMovesService } from './number-moves.service.js';
import { TemplateBindingService } from '../outbox/template-binding.service.js';

/** Milliseconds between two looks. */
const CLOCK = 1_000;

/**
 * Finishes interrupted moves of numbers, and releases held messages when the new account has got their template. It has
 * no heartbeat: a million messages take longer than a process may be silent.
 */
@Injectable()
export class MoveKeeperService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(MoveKeeperService.name);
  private readonly looks: Repeated;
  private stopped = false;

  constructor(
    private readonly moves: NumberMovesService,
    private readonly binding: TemplateBindingService,
    private readonly leases: ShardLeasesService,
  ) {
    this.looks = new Repeated(
      CLOCK,
      () => this.look(),
      (error) => this.logger.warn(`Moves of numbers not looked at: ${error.message}`),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.looks.stop();
  }

  private async look(): Promise<void> {
    if (!this.leases.isFirst) return;
    await this.binding.releaseFound();
    await this.moves.finishAbandoned(() => !this.stopped);
  }
}
