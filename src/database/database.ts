import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { type Heartbeat, Heartbeats } from '../common/heartbeat.js';
import { Pools, useOfConnections } from '../common/pools.js';
import { CommitUnknownError, isDatabaseUnavailable, isStatementRefused } from './database-errors.js';

/** A statement with a name, under which each connection prepares it once. */
export interface Statement {
  name: string;
  text: string;
  /** Milliseconds after which its connection is given up, where the usual limit (bounded-client.ts) is too short. */
  timeout?: number;
}

/** What statements run on: the pool, or one connection within a transaction. */
export interface Queryable {
  run<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

/** Milliseconds without an answer after which the process is not ready; its loops ask every second or two. */
const PATIENCE = 10_000;

/** Milliseconds that the server gets to end one of its connections. */
const END_TIMEOUT = 1_000;

/** Ids and counts are bigint columns; all of ours stay far below 2^53. */
const BIGINT_OID = 20;
pg.types.setTypeParser(BIGINT_OID, Number);

/**
 * Runs hand-written, prepared statements on the DataSource's own pool, without the ORM in between. The hot path uses
 * it; other code may use repositories.
 */
@Injectable()
export class Database implements Queryable {
  private readonly pool: pg.Pool;

  private readonly heartbeat: Heartbeat;

  constructor(@InjectDataSource() source: DataSource, heartbeats: Heartbeats, pools: Pools) {
    this.pool = (source.driver as unknown as { master: pg.Pool }).master;
    this.heartbeat = heartbeats.add('statements', PATIENCE);
    pools.add('database', () => useOfConnections(this.pool, this.pool.options.max));
  }

  async run<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return this.noted(async () => (await this.pool.query({ ...statement, values })).rows as Row[]);
  }

  /** Runs `work` in one transaction: all of its statements, or none. */
  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    return this.borrow(async (client, giveUp) => {
      const run = async <Row>(statement: Statement, values: unknown[] = []) =>
        (await client.query({ ...statement, values })).rows as Row[];
      try {
        await client.query('BEGIN');
        const result = await work({ run });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(giveUp);
        throw error;
      }
    });
  }

  /**
   * As `run`, but tells whether the statement may have been committed when it failed.
   * @throws CommitUnknownError when the connection was lost meanwhile; after any other error it was not committed
   */
  async commit<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return this.borrow(async (client) => {
      try {
        return (await client.query({ ...statement, values })).rows as Row[];
      } catch (error) {
        if (isStatementRefused(error)) throw error;
        throw new CommitUnknownError((client as unknown as { processID: number }).processID, error);
      }
    });
  }

  /**
   * Ends the server's side of a lost connection, and returns when it has ended. From then on it is settled whether its
   * last statement was committed.
   */
  async endBackend(id: number): Promise<void> {
    const [backend] = await this.run<{ ended: boolean }>(END_BACKEND, [id, END_TIMEOUT]);
    if (backend?.ended === false) throw new Error('A lost connection has not ended on the server yet');
  }

  /** Notes whether the database answers. Waiting too long for a lock says nothing about that. */
  private async noted<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.heartbeat.beat();
      return result;
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementRefused(error)) this.heartbeat.miss();
      throw error;
    }
  }

  /** Lends a connection of the pool. A broken one does not go back to the pool. */
  private async borrow<Result>(
    work: (client: pg.PoolClient, giveUp: (error: Error) => void) => Promise<Result>,
  ): Promise<Result> {
    return this.noted(() => this.withClient(work));
  }

  private async withClient<Result>(
    work: (client: pg.PoolClient, giveUp: (error: Error) => void) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // Without a listener, losing the connection between two statements would end the process.
    const giveUp = (error: Error) => (broken = error);
    client.on('error', giveUp);
    try {
      return await work(client, giveUp);
    } catch (error) {
      if (isDatabaseUnavailable(error)) broken ??= error as Error;
      throw error;
    } finally {
      client.removeListener('error', giveUp);
      client.release(broken);
    }
  }

  /** Tells every process that listens; delivered when the surrounding statement, or transaction, commits. */
  async notify(channel: string, payload: string, connection: Queryable = this): Promise<void> {
    await connection.run({ name: 'notify', text: 'SELECT pg_notify($1, $2)' }, [channel, payload]);
  }
}

/** By process id, which meanwhile may belong to another connection: it must be one of ours, which will reconnect. */
const END_BACKEND: Statement = {
  name: 'end_backend',
  text: `
    SELECT pg_terminate_backend(pid, $2) AS ended FROM pg_stat_activity
    WHERE pid = $1 AND pid <> pg_backend_pid() AND datname = current_database() AND usename = current_user`,
};
