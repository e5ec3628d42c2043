import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { ApiError } from '../common/errors.js';
import { Pools, useOfConnections } from '../common/pools.js';
import { Turns } from '../common/turns.js';
import { Config } from '../config/config.js';
import { workAccess } from './access.js';
import { BoundedClient } from './bounded-client.js';
import type { Queryable, Statement } from './database.js';

/** Milliseconds that PostgreSQL gives a read; shorter than the client's patience, so that PostgreSQL ends it itself. */
const READ_TIMEOUT = 2_500;

/** Milliseconds that a read waits for other reads of its tenant to end; seconds after which to try again. */
const PATIENCE = 1_500;

/** The same for files: one that has begun should not break off because others look as well. */
export const FILE_PATIENCE = 30_000;
const RETRY_AFTER = 1;

/** The part of the connections that the reads of one tenant may use at the same time. */
const TENANT_SHARE = 0.5;

/** They change nothing, and no read takes more than one core. */
const SETTINGS = {
  statement_timeout: String(READ_TIMEOUT),
  default_transaction_read_only: 'on',
  max_parallel_workers_per_gather: '0',
};

/**
 * Runs reads: lists, searches, counts. It has a few connections of its own with a time limit, so that even slow reads
 * take none from accepting and sending. A tenant may use only some of them at a time, so that the reads of others go
 * on.
 */
@Injectable()
export class Reads implements Queryable, OnApplicationShutdown {
  private readonly logger = new Logger(Reads.name);
  private readonly pool: pg.Pool;
  private readonly turns: Turns;

  constructor(config: Config, pools: Pools) {
    const { DATABASE_READ_POOL } = config;
    this.pool = new pg.Pool({
      ...workAccess(config, SETTINGS),
      Client: BoundedClient,
      application_name: 'template-messaging-service reads',
      max: DATABASE_READ_POOL,
    });
    this.pool.on('error', (error) => this.logger.debug(`A connection for reads was lost: ${error.message}`));
    pools.add('reads', () => useOfConnections(this.pool, DATABASE_READ_POOL));
    this.turns = new Turns({
      atOnce: Math.max(1, Math.floor(DATABASE_READ_POOL * TENANT_SHARE)),
      late: () =>
        new ApiError('RATE_LIMITED', 'Too many searches at the same time. Try again.', [], RETRY_AFTER),
    });
  }

  /** For reads that belong to no tenant. */
  async run<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query({ ...statement, values })).rows as Row[];
  }

  /**
   * For reads of a tenant: waits for the tenant's turn, then does all of the work in that turn.
   * @param patience milliseconds
   * @throws ApiError RATE_LIMITED when the turn has not come by then
   */
  turn<Result>(
    tenantId: string,
    work: (reads: Queryable) => Promise<Result>,
    patience = PATIENCE,
  ): Promise<Result> {
    return this.turns.run(tenantId, patience, () => work(this));
  }

  /** The same for single statements, each with a turn of its own. */
  of(tenantId: string, patience?: number): Queryable {
    return {
      run: (statement, values) => this.turn(tenantId, (reads) => reads.run(statement, values), patience),
    };
  }

  /** Whether the tenant has as many reads under way as it may: one more would have to wait. */
  isBusy(tenantId: string): boolean {
    return this.turns.isFull(tenantId);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
