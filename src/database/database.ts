import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';

/** A statement with a name, under which each connection prepares it once. */
export interface Statement {
  name: string;
  text: string;
}

/** What statements run on: the pool, or one connection within a transaction. */
export interface Queryable {
  run<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

/** Ids and counts are bigint columns; all of ours stay far below 2^53. */
const BIGINT_OID = 20;
pg.types.setTypeParser(BIGINT_OID, Number);

/**
 * Runs hand-written statements on the DataSource's own pool, prepared and without the ORM in between: the hot
 * path. Everything else uses repositories.
 */
@Injectable()
export class Database implements Queryable {
  private readonly pool: pg.Pool;

  constructor(@InjectDataSource() source: DataSource) {
    this.pool = (source.driver as unknown as { master: pg.Pool }).master;
  }

  async run<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query({ ...statement, values })).rows as Row[];
  }

  /** Runs `work` in one transaction: all of its statements, or none. */
  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A connection that is lost between two statements would otherwise end the process.
    const onLost = (error: Error) => (broken = error);
    client.on('error', onLost);
    try {
      await client.query('BEGIN');
      const result = await work({
        run: async <Row>(statement: Statement, values: unknown[] = []) =>
          (await client.query({ ...statement, values })).rows as Row[],
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(onLost);
      throw error;
    } finally {
      client.removeListener('error', onLost);
      client.release(broken);
    }
  }

  /** Tells every process that listens; delivered when the surrounding statement commits. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.run({ name: 'notify', text: 'SELECT pg_notify($1, $2)' }, [channel, payload]);
  }
}
