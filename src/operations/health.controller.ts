import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../common/errors.js';
import { Heartbeats } from '../common/heartbeat.js';
import { Config } from '../config/config.js';
import { RedisConnection } from '../database/redis.js';
import { Draining } from './draining.js';

/** Written to, for the same reason. */
const REDIS_KEY = 'tms:health';
const REDIS_KEY_AGE = 60_000;

/** Milliseconds after which a part that does not answer counts as down. */
const PATIENCE = 3_000;

type Part = 'up' | 'down';

/** Probes for those who start and stop the processes. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly heartbeats: Heartbeats,
    private readonly redis: RedisConnection,
    private readonly draining: Draining,
    private readonly config: Config,
  ) {}

  /** The process answers. */
  @Get('live')
  live() {
    return { success: true, data: { status: 'ok' } };
  }

  /**
   * The process can do its work: each of its loops on PostgreSQL had a good turn of late and, for a worker that does
   * nothing else, so had Redis. Not from the moment on that it is asked to stop. `late` names the loops that had none.
   */
  @Get('ready')
  async ready() {
    const { late } = this.heartbeats;
    const postgres: Part = late.length === 0 ? 'up' : 'down';
    const redis = this.redis.isUp
      ? await check(this.redis.client.set(REDIS_KEY, '', 'PX', REDIS_KEY_AGE))
      : 'down';
    const canWork = postgres === 'up' && (redis === 'up' || this.config.ROLE !== 'worker');
    const isReady = canWork && !this.draining.hasBegun;
    if (isReady) return { success: true, data: { status: 'ok', role: this.config.ROLE, postgres, redis } };
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'Not ready.',
      [{ postgres, redis, late, stopping: this.draining.hasBegun }],
      2,
    );
  }
}

async function check(answer: Promise<unknown>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Part>((resolve) => (timer = setTimeout(() => resolve('down'), PATIENCE)));
  const part = await Promise.race([
    answer.then(
      (): Part => 'up',
      (): Part => 'down',
    ),
    late,
  ]);
  clearTimeout(timer);
  return part;
}
