import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../ormconfig.js';
import { Heartbeats } from '../src/common/heartbeat.js';
import { MetricsRegistry } from '../src/common/metrics-registry.js';
import { Pools } from '../src/common/pools.js';
import { Database } from '../src/database/database.js';
import { migrate } from '../src/database/migrate.js';
import { Reads } from '../src/database/reads.js';
import { EventHorizon } from '../src/events/event-horizon.service.js';
import { EventNews } from '../src/events/event-news.service.js';
import type { Position } from '../src/events/position.js';
import { tellMessages } from '../src/events/tell.sql.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { SeededRandom } from './faults/seeded-random.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import { testConfig } from './support/service.js';

const TENANT = '00000000-0000-0000-0000-000000000001';
const OTHER = '00000000-0000-0000-0000-000000000002';
const WRITERS = 16;
const READERS = 4;
const EACH = 25;

/** What each process that reads has of its own. */
interface Process {
  reads: Reads;
  horizon: EventHorizon;
  news: EventNews;
  stream: EventStream;
}

let test: TestDatabase;
let source: DataSource;
const processes: Process[] = [];
let messages = 0;

function startProcess(): Process {
  const config = testConfig({ DATABASE_URL: test.serviceUrl, DATABASE_READ_POOL: 4 });
  const pools = new Pools(new MetricsRegistry());
  const reads = new Reads(config, pools);
  const horizon = new EventHorizon(reads, new Database(source, new Heartbeats(), pools));
  const started = {
    reads,
    horizon,
    news: new EventNews(horizon, reads),
    stream: new EventStream(horizon, reads),
  };
  processes.push(started);
  return started;
}

beforeAll(async () => {
  test = await createTestDatabase();
  source = await new DataSource(dataSourceOptions(test.url, WRITERS + 4)).initialize();
  await migrate(source);
});
afterAll(async () => {
  for (const { reads, news } of processes) {
    await news.beforeApplicationShutdown();
    await reads.onApplicationShutdown();
  }
  await source.destroy();
  await test.drop();
});

/** Tells of a new message of the tenant. @returns its id */
async function tell(runner: DataSource | QueryRunner, tenant = TENANT): Promise<number> {
  const id = (messages += 1);
  const rows = `SELECT 1 AS place, 'message.accepted' AS type, '${tenant}'::uuid AS tenant_id, ${id}::bigint AS id,
    NULL::jsonb AS data`;
  await runner.query(tellMessages(rows), [new Date()]);
  return id;
}

async function begin(): Promise<QueryRunner> {
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  return runner;
}

async function end(runner: QueryRunner, how: 'commit' | 'rollback' = 'commit'): Promise<void> {
  await (how === 'commit' ? runner.commitTransaction() : runner.rollbackTransaction());
  await runner.release();
}

/** A reader that goes on from where it was, as a caller with a cursor does. */
class Reader {
  readonly seen: number[] = [];
  private next: Position | null = null;

  constructor(private readonly process = startProcess()) {}

  /** One page. @returns whether it went to the end of what was complete */
  async read(limit = 1_000): Promise<boolean> {
    const page = await this.process.stream.read(TENANT, this.next, { limit });
    this.seen.push(...page.events.map(({ data }) => data['message_log_id'] as number));
    this.next = page.next;
    return page.readTo !== null;
  }
}

/** Reads until those messages were seen: transactions of other tests in the same PostgreSQL may hold the stream up. */
const untilSeen = (reader: Reader, ids: number[]) =>
  eventually(async () => {
    await reader.read();
    expect(reader.seen).toEqual(ids);
  });

describe('A reader of events', () => {
  it('waits for a slow transaction and skips nothing of it, whenever it begins to read', async () => {
    const early = new Reader();
    const first = await tell(source);
    await untilSeen(early, [first]);
    const fastest = await begin();
    await fastest.query('SELECT pg_current_xact_id()');
    const slow = await begin();
    const late = await tell(slow);
    await early.read();
    expect(early.seen).toEqual([first]);
    // By an earlier transaction, at a later position: the slow one has the newest id, and nothing is committed after it.
    const fast = await tell(fastest);
    await end(fastest);
    await early.read();
    expect(early.seen).toEqual([first]);
    const undone = await begin();
    await tell(undone);
    const behind = new Reader();
    for (const reader of [early, behind]) await reader.read();
    expect(early.seen).toEqual([first]);
    expect(behind.seen).toEqual([]); // its process has seen no moment without the transaction
    await end(undone, 'rollback');
    await early.read();
    expect(early.seen).toEqual([first]);
    await end(slow);
    for (const reader of [early, behind]) await untilSeen(reader, [first, late, fast]);
    const last = await tell(source);
    for (const reader of [early, behind]) await untilSeen(reader, [first, late, fast, last]);
  });

  it('skips nothing of a savepoint, which has an id of its own', async () => {
    const reader = new Reader();
    const [{ count: already }] = await source.query(
      'SELECT count(*)::integer AS count FROM event_stream WHERE tenant_id = $1',
      [TENANT],
    );
    await eventually(async () => {
      await reader.read();
      expect(reader.seen).toHaveLength(already);
    });
    const slow = await begin();
    await slow.query('SAVEPOINT one');
    const undone = await tell(slow);
    await slow.query('ROLLBACK TO SAVEPOINT one');
    await slow.query('SAVEPOINT two');
    const kept = await tell(slow);
    await slow.query('RELEASE SAVEPOINT two');
    const other = await tell(source);
    await reader.read();
    expect(reader.seen).toHaveLength(already);
    await end(slow);
    await eventually(async () => {
      await reader.read();
      expect(reader.seen.slice(already)).toEqual([kept, other]);
    });
    expect(reader.seen).not.toContain(undone);
  });

  it('sees what 16 write at the same time in the same order as all others, with nothing missing', async () => {
    const random = new SeededRandom(7);
    const committed: number[] = [];
    let writing = WRITERS;
    const write = async () => {
      for (let i = 0; i < EACH; i += 1) {
        const runner = await begin();
        const ids = [await tell(runner)];
        if (random.chance(0.5)) await runner.query('SELECT pg_sleep($1)', [random.next() / 60]);
        await tell(runner, OTHER);
        if (random.chance(0.3)) ids.push(await tell(runner));
        const how = random.chance(0.2) ? 'rollback' : 'commit';
        await end(runner, how);
        if (how === 'commit') committed.push(...ids);
      }
      writing -= 1;
    };
    const read = async () => {
      const reader = new Reader();
      while (writing > 0) await reader.read(1 + random.between(0, 20));
      // Others who use the same server may hold the stream up for a moment.
      await eventually(async () => {
        await reader.read();
        expect(reader.seen.filter((id) => id > before)).toHaveLength(committed.length);
      });
      return reader.seen;
    };
    const before = messages;
    const [orders] = await Promise.all([
      Promise.all(Array.from({ length: READERS }, read)),
      Promise.all(Array.from({ length: WRITERS }, write)),
    ]);
    const order = orders[0]!.filter((id) => id > before);
    expect(order.toSorted((a, b) => a - b)).toEqual(committed.toSorted((a, b) => a - b));
    for (const each of orders) expect(each).toEqual(orders[0]);
    const rows = await source.query(
      'SELECT messages[1] AS id FROM event_stream WHERE tenant_id = $1 AND messages[1] > $2 ORDER BY id',
      [TENANT, before],
    );
    expect(rows.map(({ id }: { id: number | string }) => Number(id)).toSorted()).toEqual(order.toSorted());
  });

  it('is woken by news of its tenant, also by what came while it was not waiting yet, and by no other', async () => {
    const { news, stream } = startProcess();
    const { readTo } = await stream.read(TENANT, null, { limit: 1_000 });
    const after = readTo as number;
    const leave = new AbortController();
    let others = 0;
    const other = news.wait(OTHER, after, leave.signal).then(() => (others += 1));
    const waits = news.wait(TENANT, after, leave.signal);
    await tell(source);
    await waits;
    await news.wait(TENANT, after, leave.signal);
    expect(others).toBe(0);
    leave.abort();
    await other;
    expect(others).toBe(1);
  });

  it('is woken when the stream has gone back, and nobody reads it from its beginning for that', async () => {
    const { horizon, news, stream } = startProcess();
    const walked: number[] = [];
    const walk = news.tenantsBetween.bind(news);
    news.tenantsBetween = (after, to) => {
      walked.push(after);
      return walk(after, to);
    };
    for (let i = 0; i < 10; i += 1) await tell(source);
    const { readTo } = await stream.read(TENANT, null, { limit: 1_000 });
    const after = readTo as number;
    const leave = new AbortController();
    const waits = news.wait(OTHER, after, leave.signal);
    const slow = await begin();
    await slow.query('SELECT pg_current_xact_id()');
    await source.query('DELETE FROM event_stream WHERE id > $1', [after - 5]);
    await source.query(`SELECT setval('event_stream_id_seq', $1)`, [after - 5]);
    await eventually(() => expect(horizon.position).toBe(0)); // not known while the transaction goes on
    const wakes = news.wait(OTHER, after - 5, leave.signal);
    await end(slow);
    await Promise.all([waits, wakes]);
    const reads = news.wait(TENANT, horizon.position, leave.signal);
    await tell(source);
    await reads;
    expect(walked.filter((from) => from < after - 5)).toEqual([]);
  });
});
