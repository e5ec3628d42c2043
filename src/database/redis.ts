import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';

/**
 * Whether to connect anew, to what the address means by now: the server has become a replica by a fail-over.
 * @returns as ioredis wants it: 1 to connect anew
 */
export function reconnectOnError(error: Error): false | 1 {
  return error.message.includes('READONLY') ? 1 : false;
}

/**
 * A connection to Redis for what is not a Bull queue. Commands fail at once while Redis is out: what stands there
 * is only in motion, and nobody should wait for it.
 */
@Injectable()
export class RedisConnection implements OnModuleDestroy {
  private readonly logger = new Logger(RedisConnection.name);
  readonly client: Redis;
  private wasUp = true;

  constructor(config: Config) {
    this.client = new Redis(config.REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2_000,
      reconnectOnError,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    this.client.on('ready', () => this.report(true));
    this.client.on('error', () => this.report(false));
    this.client.on('close', () => this.report(false));
  }

  /** Whether commands can be sent now. */
  get isUp(): boolean {
    return this.client.status === 'ready';
  }

  onModuleDestroy(): void {
    this.client.removeAllListeners('close');
    this.client.disconnect();
  }

  private report(isUp: boolean): void {
    if (isUp === this.wasUp) return;
    this.wasUp = isUp;
    if (isUp) this.logger.log('Redis is back');
    else this.logger.warn('Redis is out; sends are accepted and go out when it is back');
  }
}
