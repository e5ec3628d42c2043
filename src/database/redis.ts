import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Heartbeat } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { Config } from '../config/config.js';
import { connectRedis, endRedis } from './redis-client.js';

/** Written to, as a server that takes no writes, such as one that a fail-over has left behind, is of no use. */
const PULSE_KEY = 'tms:health';
const PULSE_KEY_AGE = 60_000;

/** Milliseconds between two writes, and after which one that succeeded tells nothing of now. */
const PULSE = 1_000;
const PULSE_AGE = 5_000;

/** The connection to Redis on which everything is asked, by the queues as well. */
@Injectable()
export class RedisConnection implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(RedisConnection.name);
  readonly client: Redis;
  private wasUp = true;
  private stopped = false;
  private readonly heartbeat = new Heartbeat();
  private readonly pulse = new Repeated(
    PULSE,
    () => this.write(),
    (error) => this.logger.debug(`Redis takes no writes: ${error.message}`),
    this.heartbeat,
  );

  constructor(config: Config) {
    this.client = connectRedis(config.REDIS_URL, 'commands');
    this.client.on('ready', () => {
      this.report(true);
      this.pulse.run();
    });
    this.client.on('error', () => this.report(false));
    this.client.on('close', () => this.report(false));
    this.pulse.start();
  }

  /** Whether Redis works: it is connected, and has taken the last write, of late. */
  get isUp(): boolean {
    const { isGood, age } = this.heartbeat;
    return this.client.status === 'ready' && isGood && age < PULSE_AGE;
  }

  /** What ends the process must not wait for a Redis that is out. */
  onModuleDestroy(): void {
    if (!this.isUp) this.end();
  }

  /** After the queues, which tell of their last jobs on it. */
  async onApplicationShutdown(): Promise<void> {
    this.end();
    await this.pulse.stop();
  }

  private end(): void {
    this.stopped = true;
    endRedis(this.client);
  }

  private async write(): Promise<void> {
    if (this.client.status !== 'ready') throw new Error('it is not connected');
    await this.client.set(PULSE_KEY, '', 'PX', PULSE_KEY_AGE);
  }

  private report(isUp: boolean): void {
    if (isUp === this.wasUp || this.stopped) return;
    this.wasUp = isUp;
    if (isUp) this.logger.log('Redis is back');
    else this.logger.warn('Redis is out; sends are accepted and go out when it is back');
  }
}
