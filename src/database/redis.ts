import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Heartbeat } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { Config } from '../config/config.js';
import { connectRedis, endRedis } from './redis-client.js';

/** Health is checked by a write: a server that takes none, such as a replica after a fail-over, is of no use. */
const PULSE_KEY = 'tms:health';
const PULSE_KEY_AGE = 60_000;

/** Milliseconds between two writes, and after which a successful write is too old to tell anything. */
const PULSE = 1_000;
const PULSE_AGE = 5_000;

/** The one connection to Redis for commands, those of the queues included. */
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

  /** Whether Redis works: it is connected, and the last write was recent and succeeded. */
  get isUp(): boolean {
    const { isGood, age } = this.heartbeat;
    return this.client.status === 'ready' && isGood && age < PULSE_AGE;
  }

  /** Ends the connection early if Redis is down, so that the process' end does not wait for it. */
  onModuleDestroy(): void {
    if (!this.isUp) this.end();
  }

  /** Comes after the end of the queues, which report their last jobs on this connection. */
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
