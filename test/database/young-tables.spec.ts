import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Heartbeats } from '../../src/common/heartbeat.js';
import { Database } from '../../src/database/database.js';
import { YoungTables } from '../../src/database/young-tables.js';
import { createTestDatabase } from '../support/infrastructure.js';

describe('A young table', () => {
  it('is analysed when it has doubled, and not before', async () => {
    const test = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(test.url, 1)).initialize();
    const young = new YoungTables(new Database(source, new Heartbeats()));
    const add = async (rows: number) => {
      await source.query(`INSERT INTO orders SELECT FROM generate_series(1, $1)`, [rows]);
      await source.query('SELECT pg_stat_force_next_flush()');
    };
    const known = async () => {
      await young.look();
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
