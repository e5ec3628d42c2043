import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Heartbeats } from '../../src/common/heartbeat.js';
import { MetricsRegistry } from '../../src/common/metrics-registry.js';
import { Pools } from '../../src/common/pools.js';
import { Database } from '../../src/database/database.js';
import { KeepersService } from '../../src/scheduling/keepers.service.js';
import { TableCareService } from '../../src/scheduling/table-care.service.js';
import type { ShardLeasesService } from '../../src/shards/shard-leases.service.js';
import { createTestDatabase } from '../support/infrastructure.js';

/** They never start: a test says when to look. */
const KEEPERS = new KeepersService({} as ShardLeasesService, new Heartbeats());

describe('A small table', () => {
  it('is analysed when it has doubled, not before', async () => {
    const test = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(test.url, 1)).initialize();
    const care = new TableCareService(
      new Database(source, new Heartbeats(), new Pools(new MetricsRegistry())),
      KEEPERS,
    );
    const add = async (rows: number) => {
      await source.query(`INSERT INTO orders SELECT FROM generate_series(1, $1)`, [rows]);
      await source.query('SELECT pg_stat_force_next_flush()');
    };
    const known = async () => {
      await care.look();
      const [row] = await source.query(`SELECT reltuples::integer FROM pg_class WHERE relname = 'orders'`);
      return row.reltuples as number;
    };
    try {
      await source.query('CREATE TABLE orders ()');
      await add(900);
      expect(await known()).toBe(-1);
      await add(1_100);
      expect(await known()).toBe(2_000);
      await add(1_900);
      expect(await known()).toBe(2_000);
      await add(200);
      expect(await known()).toBe(4_100);
    } finally {
      await source.destroy();
      await test.drop();
    }
  });
});

describe('A table with mostly dead rows', () => {
  it('is vacuumed, unlike one with many live rows', async () => {
    const test = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(test.url, 1)).initialize();
    const care = new TableCareService(
      new Database(source, new Heartbeats(), new Pools(new MetricsRegistry())),
      KEEPERS,
    );
    const cleaned = async () => {
      await source.query('SELECT pg_stat_force_next_flush()');
      await care.look();
      await source.query('SELECT pg_stat_clear_snapshot()');
      const [row] = await source.query(
        `SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'queue'`,
      );
      return Number(row.vacuum_count);
    };
    try {
      await source.query('CREATE TABLE queue AS SELECT n FROM generate_series(1, 20000) n');
      await source.query('DELETE FROM queue WHERE n <= 9000');
      expect(await cleaned()).toBe(0);
      await source.query('DELETE FROM queue WHERE n <= 18000');
      expect(await cleaned()).toBe(1);
      expect(await cleaned()).toBe(1);
    } finally {
      await source.destroy();
      await test.drop();
    }
  });
});
