import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../common/errors.js';
import { Heartbeats } from '../common/heartbeat.js';
import { VERSION } from '../common/project.js';
import { Config } from '../config/config.js';
import { Queues } from '../database/queues.js';
import { DrainingService } from '../http/draining.service.js';

/**
 * Probes for those who start and stop the processes. Not by `@nestjs/terminus` (12.1.0): each of its answers would have to
 * be rewritten into our form, it logs an error for each probe that fails, and what it does beyond is to ask.
 */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly heartbeats: Heartbeats,
    private readonly queues: Queues,
    private readonly draining: DrainingService,
    private readonly config: Config,
  ) {}

  /** The process answers, and says of which version it is. */
  @Get('live')
  live() {
    return { success: true, data: { status: 'ok', version: VERSION } };
  }

  /**
   * Whether the process can do its work: each of its loops on PostgreSQL had a recent good turn and, with ROLE=worker,
   * so had its queues on Redis. Not ready once it is asked to stop. `late` names loops and queues without a good turn.
   * This asks neither PostgreSQL nor Redis, so that it answers at once even when they are down.
   */
  @Get('ready')
  ready() {
    const [postgres, redis] = [partOf(this.heartbeats), partOf(this.queues)];
    const canWork = postgres === 'up' && (redis === 'up' || this.config.ROLE !== 'worker');
    const isReady = canWork && !this.draining.hasBegun;
    if (isReady) return { success: true, data: { status: 'ok', role: this.config.ROLE, postgres, redis } };
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'Not ready.',
      [
        {
          postgres,
          redis,
          late: [...this.heartbeats.late, ...this.queues.late],
          stopping: this.draining.hasBegun,
        },
      ],
      2,
    );
  }
}

function partOf({ late }: { late: string[] }): 'up' | 'down' {
  return late.length === 0 ? 'up' : 'down';
}
