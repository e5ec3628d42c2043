import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../common/errors.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { RedisConnection } from '../database/redis.js';
import { Draining } from './draining.js';

/** A server that takes no writes, such as one that a fail-over has left behind, is of no use. */
const CHECK = { name: 'health', text: `SELECT current_setting('transaction_read_only') = 'on' AS read_only` };

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
    private readonly database: Database,
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
   * The process can do its work: PostgreSQL takes writes and, for a worker that does nothing else, so does Redis. Not
   * from the moment on that it is asked to stop.
   */
  @Get('ready')
  async ready() {
    const [postgres, redis] = await Promise.all([
      check(this.database.run<{ read_only: boolean }>(CHECK).then(([row]) => refuse(row?.read_only))),
      this.redis.isUp ? check(this.redis.client.set(REDIS_KEY, '', 'PX', REDIS_KEY_AGE)) : 'down',
    ]);
    const canWork = postgres === 'up' && (redis === 'up' || this.config.ROLE !== 'worker');
    const isReady = canWork && !this.draining.hasBegun;
    if (isReady) return { success: true, data: { status: 'ok', role: this.config.ROLE, postgres, redis } };
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'Not ready.',
      [{ postgres, redis, stopping: this.draining.hasBegun }],
      2,
    );
  }
}

function refuse(isReadOnly = false): void {
  if (isReadOnly) throw new Error('PostgreSQL takes no writes');
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
