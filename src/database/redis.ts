import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Cluster, type Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { Heartbeat } from '../common/heartbeat.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Repeated } from '../common/repeated.js';
import { Config } from '../config/config.js';
import { keysByNode, lostSlots, slotsByNode } from './cluster-slots.js';
import { connectBeside, connectRedis, endRedis, type RedisClient } from './redis-client.js';

/** Health is checked by a write: a server that takes none, such as a replica after a fail-over, is of no use. */
const PULSE_KEY = 'tms:health';
const PULSE_KEY_AGE = 60_000;

/** Milliseconds between two writes, and after which a successful write is too old to tell anything. */
const PULSE = 1_000;
const PULSE_AGE = 5_000;

/** Redis as a whole, as it is named where it does not work. */
const ALL = 'Redis';

/** What one write checks: Redis, or the slots of one node of a cluster. Without a key, no node serves the slots. */
interface Part {
  name: string;
  key: string | null;
}

/** The connection to Redis for commands, those of the queues included; and the way to further ones. */
@Injectable()
export class RedisConnection implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(RedisConnection.name);
  readonly client: RedisClient;
  /** What took no write at the last pulse. */
  private failing: string[] = [];
  /** What was said to be out; empty when all works. */
  private said = '';
  private stopped = false;
  private readonly heartbeat = new Heartbeat();
  private readonly pulse = new Repeated(
    PULSE,
    () => this.check(),
    (error) => this.logger.debug(`Redis was not checked: ${error.message}`),
  );

  constructor(
    private readonly config: Config,
    registry: MetricsRegistry,
  ) {
    this.client = connectRedis(config);
    const events = this.client as Redis; // TypeScript does not see that both kinds have these events
    events.on('ready', () => this.pulse.run());
    events.on('error', () => this.report());
    events.on('close', () => this.report());
    this.pulse.start();
    const up: Gauge = new Gauge({
      name: 'tms_redis_up',
      help: '1 when Redis takes writes, in a cluster those of all slots, else 0',
      registers: [registry],
      collect: () => up.set(this.isUp ? 1 : 0),
    });
  }

  /** Whether Redis works: it is connected, and the last write was recent and succeeded, on all nodes of a cluster. */
  get isUp(): boolean {
    return this.late.length === 0;
  }

  /** What does not work: `Redis`, or the slots of a cluster that are out. */
  get late(): string[] {
    const isRecent = this.client.status === 'ready' && this.heartbeat.age < PULSE_AGE;
    return isRecent || this.failing.length > 0 ? this.failing : [ALL];
  }

  /** Makes a connection of the caller's own; see {@link connectBeside}. */
  connect(use: 'subscriber' | 'blocking', key?: string): Redis {
    return connectBeside(this.client, this.config, use, key);
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

  private async check(): Promise<void> {
    const parts = this.parts();
    const wrote = await Promise.all(parts.map((part) => this.write(part)));
    const failing = parts.filter((_, i) => !wrote[i]).map(({ name }) => name);
    this.failing = failing.length < parts.length ? failing : [ALL, ...(await this.lost())];
    this.report();
  }

  private parts(): Part[] {
    if (!(this.client instanceof Cluster)) return [{ name: ALL, key: PULSE_KEY }];
    const keys = keysByNode(this.client, PULSE_KEY);
    return slotsByNode(this.client).map(({ node, slots }) => ({
      name: `${ALL} slots ${slots}`,
      key: node === null ? null : (keys.get(node) ?? PULSE_KEY), // none is found where it has hardly any slot
    }));
  }

  private async write({ name, key }: Part): Promise<boolean> {
    try {
      if (this.client.status !== 'ready') throw new Error('it is not connected');
      if (key === null) throw new Error('no node serves them');
      await this.client.set(key, '', 'PX', PULSE_KEY_AGE);
      this.heartbeat.beat();
      return true;
    } catch (error) {
      this.logger.debug(`${name}: no writes: ${(error as Error).message}`);
      return false;
    }
  }

  /** The slots for which a cluster as a whole takes no writes. */
  private async lost(): Promise<string[]> {
    if (!(this.client instanceof Cluster) || this.client.status !== 'ready') return [];
    const lost = await lostSlots(this.client).catch(() => []); // nobody can be asked
    return lost.map((slots) => `${ALL} slots ${slots}`);
  }

  /** Says once what is out, and once that all is back. */
  private report(): void {
    const out = this.late.join(', ');
    if (out === this.said || this.stopped) return;
    this.said = out;
    if (out) this.logger.warn(`${out} is out; sends are accepted and go out when it is back`);
    else this.logger.log('Redis is back');
  }
}
