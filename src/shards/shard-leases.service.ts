import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Heartbeats } from '../common/heartbeat.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Repeated } from '../common/repeated.js';
import { Database } from '../database/database.js';
import { CHANNELS, Notifications } from '../database/notifications.js';
import { shardOf } from './shards.js';
import { KEEP_SHARDS, RELEASE_SHARDS } from './shard-leases.sql.js';

/** Milliseconds between two renewals. What a worker held that was killed is free after a lease, and found by the next one. */
const CLOCK = 1_000;

/** Milliseconds for which a worker holds its shards without renewing its lease. */
const LEASE = 3_000;

/** Milliseconds without a good renewal after which the process is not ready. */
const PATIENCE = 10_000;

interface Kept {
  shards: number[];
  /** Workers that run, this one included. */
  workers: number;
}

/**
 * The shards that this worker holds: it dispatches the numbers of these, and of no other. The workers share all shards
 * evenly, by PostgreSQL's clock and in its rows, without knowing each other: one that starts takes its part from those
 * that have more, and what was held by one that stopped or died is taken by those that have less.
 *
 * Two may think for a moment that they hold a shard: claims never take a message twice. One that cannot renew its lease,
 * or stood still, holds nothing as soon as the lease has ended by a clock of its own that never jumps.
 */
@Injectable()
export class ShardLeasesService {
  private readonly logger = new Logger(ShardLeasesService.name);
  private readonly workerId = randomUUID();
  private readonly renewals: Repeated;
  private onChange?: ((shards: number[]) => void) | undefined;
  private kept: ReadonlySet<number> = new Set();
  private others = 0;
  /** By `performance.now()`. */
  private leasedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    notifications: Notifications,
    heartbeats: Heartbeats,
    registry: MetricsRegistry,
  ) {
    this.renewals = new Repeated(
      CLOCK,
      () => this.renew(),
      (error) => this.logger.debug(`Shards not renewed: ${error.message}`),
      heartbeats.add('renewing its shards', PATIENCE),
    );
    notifications.on(CHANNELS.shardsFree, () => this.onChange && this.renewals.run());
    const gauge: Gauge = new Gauge({
      name: 'tms_shards_held',
      help: 'Shards of the numbers that this worker dispatches; 64 for all workers together',
      registers: [registry],
      collect: () => gauge.set(this.held.length),
    });
  }

  /** @param onChange is told of all shards that are held, whenever they change, and after a time of holding none */
  start(onChange: (shards: number[]) => void): void {
    this.onChange = onChange;
    this.renewals.start();
    this.renewals.run();
  }

  /** Gives all shards back, so that other workers take them at once. Never throws: else they take them when the lease ends. */
  async stop(): Promise<void> {
    this.onChange = undefined;
    await this.renewals.stop();
    this.leasedUntil = Number.NEGATIVE_INFINITY;
    try {
      await this.database.run(RELEASE_SHARDS, [this.workerId]);
    } catch (error) {
      this.logger.debug(`Shards not given back: ${(error as Error).message}`);
    }
  }

  /** The shards that this worker holds now. */
  get held(): number[] {
    return this.isLeased ? [...this.kept] : [];
  }

  /** Whether this worker is the one that dispatches the number. */
  holds(messagingAccountId: number): boolean {
    return this.isLeased && this.kept.has(shardOf(messagingAccountId));
  }

  /** Whether work that is needed once, for all numbers together, is this worker's: that which holds the first shard. */
  get isFirst(): boolean {
    return this.isLeased && this.kept.has(0);
  }

  /** Whether there is no other worker. */
  get isAlone(): boolean {
    return this.others === 0;
  }

  private get isLeased(): boolean {
    return performance.now() < this.leasedUntil;
  }

  private async renew(): Promise<void> {
    const start = performance.now();
    const [kept] = await this.database.run<Kept>(KEEP_SHARDS, [this.workerId, LEASE / 1_000]);
    const { shards, workers } = kept as Kept;
    // What it was told of while it held nothing, it has not heard.
    const isSame =
      this.isLeased && shards.length === this.kept.size && shards.every((id) => this.kept.has(id));
    this.leasedUntil = start + LEASE;
    this.kept = new Set(shards);
    this.others = workers - 1;
    if (isSame) return;
    this.logger.debug(`Dispatches ${shards.length} shards of the numbers, beside ${this.others} workers`);
    this.onChange?.(shards);
  }
}
