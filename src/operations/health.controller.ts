import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../common/errors.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { RedisConnection } from '../database/redis.js';

const CHECK = { name: 'health', text: 'SELECT 1' };

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
    private readonly config: Config,
  ) {}

  /** The process answers. */
  @Get('live')
  live() {
    return { success: true, data: { status: 'ok' } };
  }

  /** The process can do its work: PostgreSQL is there and, for a worker that does nothing else, Redis. */
  @Get('ready')
  async ready() {
    const [postgres, redis] = await Promise.all([
      check(this.database.run(CHECK)),
      this.redis.isUp ? check(this.redis.client.ping()) : 'down',
    ]);
    const isReady = postgres === 'up' && (redis === 'up' || this.config.ROLE !== 'worker');
    if (isReady) return { success: true, data: { status: 'ok', role: this.config.ROLE, postgres, redis } };
    throw new ApiError('SERVICE_UNAVAILABLE', 'Not ready.', [{ postgres, redis }], 2);
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
