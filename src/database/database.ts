import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { type Heartbeat, Heartbeats } from '../common/heartbeat.js';
import { Pools, useOfConnections } from '../common/pools.js';
import type { Backend, BoundedClient } from './bounded-client.js';
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

/** A connection of the pool. */
type Lent = pg.PoolClient & BoundedClient;

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
    return this.borrow((client, giveUp) =>
      client.isPooled
        ? this.commitPooled<Row>(client, statement, values, giveUp)
        : this.commitDirect<Row>(client, statement, values),
    );
  }

  private async commitDirect<Row>(client: Lent, statement: Statement, values: unknown[]): Promise<Row[]> {
    const backend = (client.backend ??= await ownBackend(client));
    try {
      return (await client.query({ ...statement, values })).rows as Row[];
    } catch (error) {
      if (isStatementRefused(error)) throw error;
      throw new CommitUnknownError(backend, error);
    }
  }

  /**
   * Through a pooler, only a transaction stays with one process of the server; once it is known which, the statement is
   * sent. When that process has ended, the pooler cannot hand the statement to another: it ends the connection.
   */
  private async commitPooled<Row>(
    client: Lent,
    statement: Statement,
    values: unknown[],
    giveUp: (error: Error) => void,
  ): Promise<Row[]> {
    const backend = await beginKnown(client).catch((error: Error) => {
      giveUp(error); // a transaction may be open
      throw error;
    });
    try {
      const { rows } = await client.query({ ...statement, values });
      await client.query('COMMIT');
      return rows as Row[];
    } catch (error) {
      if (!isStatementRefused(error)) throw new CommitUnknownError(backend, error);
      await client.query('ROLLBACK').catch(giveUp);
      throw error;
    }
  }

  /**
   * Makes sure that it is settled whether the last statement of a lost connection was committed: ends the server's side of
   * the connection, and returns when it has ended. On another server than the one it was on, as after a fail-over, there
   * is none to end: what had not got there by then never will.
   */
  async endBackend({ id, startedAt }: Backend): Promise<void> {
    const [backend] = await this.run<{ ended: boolean }>(END_BACKEND, [id, startedAt, END_TIMEOUT]);
    if (backend?.ended === false) throw new Error('A lost connection has not ended on the server yet');
  }

  /**
   * Returns when all that is committed by now is where PostgreSQL has to have it, as on its synchronous standbys. What was
   * read may still lack that, if the process that wrote it was ended while it waited for a standby.
   */
  async confirm(): Promise<void> {
    await this.run(CONFIRM);
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
    work: (client: Lent, giveUp: (error: Error) => void) => Promise<Result>,
  ): Promise<Result> {
    return this.noted(() => this.withClient(work));
  }

  private async withClient<Result>(
    work: (client: Lent, giveUp: (error: Error) => void) => Promise<Result>,
  ): Promise<Result> {
    const client = (await this.pool.connect()) as Lent;
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

const ownBackend = async (client: Lent) => {
  const { rows } = await client.query<Backend>(OWN_BACKEND);
  return rows[0] as Backend;
};

/** Begins a transaction. @returns the process that it is on */
const beginKnown = async (client: Lent) => {
  await client.query('BEGIN');
  return ownBackend(client);
};

/** As text, so that no digit is lost. */
const STARTED_AT = 'extract(epoch FROM backend_start)::text';

const OWN_BACKEND: Statement = {
  name: 'own_backend',
  text: `SELECT pid AS id, ${STARTED_AT} AS "startedAt" FROM pg_stat_get_activity(pg_backend_pid())`,
};

/**
 * A process that waits for a synchronous standby has committed already. To end it would show others what the standby may
 * not have, so its end is waited for.
 */
const END_BACKEND: Statement = {
  name: 'end_backend',
  text: `
    SELECT CASE WHEN wait_event = 'SyncRep' THEN false ELSE pg_terminate_backend(pid, $3) END AS ended
    FROM pg_stat_activity
    WHERE pid = $1 AND ${STARTED_AT} = $2 AND pid <> pg_backend_pid()
      AND datname = current_database() AND usename = current_user`,
};

/** Makes a statement's commit wait for the synchronous standbys, if there are any, though the statement changes nothing. */
export const COMMIT_SOMETHING = `CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'template-messaging-service', '') END`;

/** A commit of its own comes after all others, and waits as each does. */
const CONFIRM: Statement = {
  name: 'confirm_commits',
  text: `SELECT ${COMMIT_SOMETHING}`,
};
