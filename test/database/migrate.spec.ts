import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { createConcurrently, dropConcurrently } from '../../src/database/concurrent-index.js';
import { migrate } from '../../src/database/migrate.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

type Migration = new () => MigrationInterface;

class Parcels1700000000001 implements MigrationInterface {
  name = 'Parcels1700000000001';

  up = (runner: QueryRunner) =>
    runner.query(`
      CREATE TABLE parcels (id integer, weight integer);
      INSERT INTO parcels SELECT n, n % 7 FROM generate_series(1, 1000) n`);

  down = (runner: QueryRunner) => runner.query('DROP TABLE parcels');
}

class Colour1700000000002 implements MigrationInterface {
  name = 'Colour1700000000002';

  up = (runner: QueryRunner) =>
    runner.query(`
      CREATE TABLE colours (name text);
      ALTER TABLE parcels ADD COLUMN colour text`);

  down = (runner: QueryRunner) => runner.query('ALTER TABLE parcels DROP COLUMN colour; DROP TABLE colours');
}

const INDEX = { name: 'parcels_weight_idx', table: 'parcels', definition: '(weight) WHERE weight > 0' };

class WeightIndex1700000000003 implements MigrationInterface {
  name = 'WeightIndex1700000000003';
  transaction = false;

  up = (runner: QueryRunner) => createConcurrently(runner, INDEX);

  down = (runner: QueryRunner) => dropConcurrently(runner, INDEX.name);
}

describe('A migration beside the work of others', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let database: TestDatabase;

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function withMigrations(migrations: Migration[]): Promise<DataSource> {
    const options = { ...dataSourceOptions(database.url), migrations } as DataSourceOptions;
    const source = await new DataSource(options).initialize();
    ends.push(() => source.destroy());
    return source;
  }

  async function newDatabase(): Promise<void> {
    database = await createTestDatabase();
    ends.push(() => database.drop());
  }

  /** Somebody whose transaction stays open after a statement. */
  async function somebody(statement: string): Promise<Client> {
    const client = new Client({ connectionString: database.url, application_name: 'somebody' });
    await client.connect();
    ends.push(() => client.end());
    await client.query(`BEGIN; ${statement}`);
    return client;
  }

  const validIndexes = async (source: DataSource) =>
    (
      await source.query(`
      SELECT indexrelid::regclass::text AS name FROM pg_index
      WHERE indisvalid AND indexrelid::regclass::text LIKE '%weight_idx' ORDER BY 1`)
    ).map(({ name }: { name: string }) => name);

  it('waits for another process that migrates, and says so after a while', async () => {
    await newDatabase();
    const source = await withMigrations([Parcels1700000000001]);
    const other = await somebody('SELECT pg_advisory_xact_lock(7463201)');
    const warnings: string[] = [];
    const migrated = migrate(source, { warn: (message) => warnings.push(message) });
    await eventually(() =>
      expect(warnings).toEqual([
        expect.stringMatching(/^Another process migrates .* waits for it \(process \d+ of PostgreSQL/),
      ]),
    );
    await other.query('COMMIT');
    expect(await migrated).toEqual(['Parcels1700000000001']);
  });

  it('lets go when it does not get a lock, so that others go on, and is tried again', async () => {
    await newDatabase();
    const source = await withMigrations([Parcels1700000000001, Colour1700000000002]);
    await migrate(await withMigrations([Parcels1700000000001]));
    const reader = await somebody('SELECT FROM parcels');
    const warnings: string[] = [];
    let isMigrated = false;
    const migrated = migrate(source, { warn: (message) => warnings.push(message) }).finally(() => {
      isMigrated = true;
    });
    // As the service reads: a statement that waits for a lock too long fails.
    let reads = 0;
    while (warnings.length < 2) {
      await source.query('SELECT count(*) FROM parcels');
      reads += 1;
      if (isMigrated) break;
    }
    expect(isMigrated).toBe(false);
    expect(reads).toBeGreaterThan(1);
    expect(warnings[0]).toMatch(
      /^The migration Colour1700000000002 does not get a lock: .*\(somebody\); it is tried again$/,
    );
    expect(await source.query(`SELECT to_regclass('colours') AS colours`)).toEqual([{ colours: null }]);
    await reader.query('COMMIT');
    expect(await migrated).toEqual(['Colour1700000000002']);
    expect(await source.query('SELECT colour FROM parcels LIMIT 1')).toEqual([{ colour: null }]);
  });

  it('does not keep its locks when it stands still in the middle, and begins again', async () => {
    await newDatabase();
    await migrate(await withMigrations([Parcels1700000000001]));
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    ends.push(() => reader.end());
    const seen: object[] = [];
    class StandsStill1700000000002 implements MigrationInterface {
      name = 'StandsStill1700000000002';
      up = async (runner: QueryRunner) => {
        await runner.query('ALTER TABLE parcels ADD COLUMN colour text');
        if (seen.length > 0) return;
        // This waits until its lock is gone.
        seen.push(...(await reader.query<object>('SELECT * FROM parcels LIMIT 1')).rows);
      };
      down = () => Promise.resolve();
    }
    const source = await withMigrations([Parcels1700000000001, StandsStill1700000000002]);
    const warnings: string[] = [];
    expect(await migrate(source, { warn: (message) => warnings.push(message) })).toEqual([
      'StandsStill1700000000002',
    ]);
    expect(warnings).toEqual([expect.stringContaining('A migration lost its connection')]);
    expect(seen).toEqual([{ id: 1, weight: 1 }]);
    expect((await reader.query('SELECT * FROM parcels LIMIT 1')).rows).toEqual([
      { id: 1, weight: 1, colour: null },
    ]);
  });

  it('fails at once for any other reason', async () => {
    await newDatabase();
    await expect(migrate(await withMigrations([Colour1700000000002]))).rejects.toThrow(
      '"parcels" does not exist',
    );
  });

  it('makes an index concurrently while ten processes start and others write', async () => {
    await newDatabase();
    await migrate(await withMigrations([Parcels1700000000001]));
    const writer = await somebody('UPDATE parcels SET weight = 1 WHERE id = 1');
    const sources = await Promise.all(
      Array.from({ length: 10 }, () => withMigrations([Parcels1700000000001, WeightIndex1700000000003])),
    );
    const [source] = sources as [DataSource];
    const runs = Promise.all(sources.map((each) => migrate(each)));
    await eventually(async () => {
      const [building] = await source.query(`
        SELECT FROM pg_stat_activity
        WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'
          AND datname = current_database()`);
      if (!building) throw new Error('The index does not wait for the writer');
    });
    await source.query('INSERT INTO parcels VALUES (1001, 1)');
    await writer.query('COMMIT');
    expect((await runs).flat()).toEqual(['WeightIndex1700000000003']);
    expect(await validIndexes(source)).toEqual(['parcels_weight_idx']);
    await source.undoLastMigration({ transaction: 'none' });
    expect(await validIndexes(source)).toEqual([]);
  });

  it('makes an index anew that a cut off try has left broken', async () => {
    await newDatabase();
    const source = await withMigrations([Parcels1700000000001, WeightIndex1700000000003]);
    await migrate(await withMigrations([Parcels1700000000001]));
    await source.query(`INSERT INTO parcels SELECT * FROM parcels`);
    await expect(
      source.query(`CREATE UNIQUE INDEX CONCURRENTLY parcels_weight_idx ON parcels (id)`),
    ).rejects.toThrow('could not create unique index');
    await migrate(source);
    const [index] = await source.query(`SELECT pg_get_indexdef('parcels_weight_idx'::regclass) AS text`);
    expect(index.text).toContain('(weight) WHERE');
  });

  it('gives each partition its index', async () => {
    class Partitioned1700000000001 implements MigrationInterface {
      name = 'Partitioned1700000000001';

      up = (runner: QueryRunner) =>
        runner.query(`
          CREATE TABLE parcels (id integer, weight integer) PARTITION BY RANGE (id);
          CREATE TABLE parcels_1 PARTITION OF parcels FOR VALUES FROM (1) TO (100);
          CREATE TABLE parcels_2 PARTITION OF parcels FOR VALUES FROM (100) TO (200)`);

      down = async () => undefined;
    }
    await newDatabase();
    await migrate(await withMigrations([Partitioned1700000000001]));
    const source = await withMigrations([Partitioned1700000000001, WeightIndex1700000000003]);
    // As left by a try that was cut off after the first partition.
    await source.query(`
      CREATE INDEX parcels_weight_idx ON ONLY parcels (weight) WHERE weight > 0;
      CREATE INDEX parcels_1_parcels_weight_idx ON parcels_1 (weight) WHERE weight > 0;
      ALTER INDEX parcels_weight_idx ATTACH PARTITION parcels_1_parcels_weight_idx`);
    await migrate(source);
    expect(await validIndexes(source)).toEqual([
      'parcels_1_parcels_weight_idx',
      'parcels_2_parcels_weight_idx',
      'parcels_weight_idx',
    ]);
  });
});
