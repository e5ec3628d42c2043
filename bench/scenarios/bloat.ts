import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { load } from '../load.js';
import { receipts } from '../requests.js';

/** Receipts in a payload. */
const PAYLOAD = 100;

/**
 * How much larger the log and its indexes are than a fresh copy of the same rows, after each message has become sent,
 * delivered and read.
 */
export const bloat =
  (messages: number): Measure =>
  async (deployment, { connections }) => {
    const { environment, database, accounts } = deployment;
    const count = Math.ceil(messages / PAYLOAD) * PAYLOAD;
    await deployment.prepare();
    await deployment.fillBacklog(count);
    return deployment.running({ api: 1, worker: 1 }, async (service) => {
      const meter = environment.meter(service);
      meter.start();
      await deployment.untilIdle(500);
      const ids = [...(await environment.provider.takings()).at.keys()];
      const faults = ids.length === count ? [] : [`${count} messages were queued, ${ids.length} taken`];
      for (const status of ['delivered', 'read'] as const) {
        let from = 0;
        const next = () => {
          const some = ids.slice(from, (from += PAYLOAD));
          return some.length > 0 ? receipts(accounts, some, status) : null;
        };
        const urls = [service['api']?.url ?? ''];
        const options = { urls, connections, expected: 200, next, seconds: WHOLE_DAY };
        faults.push(...(await load(options)).faults);
        await deployment.untilInboxEmpty(500);
      }
      const usage = await meter.stop();
      const { rows } = await database.query<{ count: number }>(READ);
      if (rows[0]?.count !== count) faults.push(`${count} messages were sent, ${rows[0]?.count} are read`);
      return { figures: await sizes(deployment), usage, faults };
    });
  };

/** Seconds: practically no limit. */
const WHOLE_DAY = 86_400;

const READ = `SELECT count(*)::integer AS count FROM message_logs WHERE status = 'read'`;

/** Sizes of table and copy. The copy keeps the same room for updates, and gets its indexes after it is filled. */
async function sizes({ database }: Deployment): Promise<Record<string, number>> {
  await database.query(`
    CREATE TABLE bench_copy (LIKE message_logs) WITH (fillfactor = 50);
    INSERT INTO bench_copy SELECT * FROM message_logs`);
  const { rows: indexes } = await database.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'message_logs'`,
  );
  for (const { definition } of indexes) {
    const copied = definition
      .replace(/INDEX \S+ ON/, 'INDEX ON')
      .replace(/ON (ONLY )?(\w+\.)?message_logs /, 'ON bench_copy ');
    await database.query(copied);
  }
  const { rows } = await database.query<Record<string, number>>(`
    SELECT sum(pg_table_size(inhrelid))::float8 / pg_table_size('bench_copy') AS table,
      sum(pg_indexes_size(inhrelid))::float8 / pg_indexes_size('bench_copy') AS indexes,
      sum(pg_total_relation_size(inhrelid))::float8 / pg_total_relation_size('bench_copy') AS total
    FROM pg_inherits WHERE inhparent = 'message_logs'::regclass`);
  await database.query('DROP TABLE bench_copy');
  return rows[0] ?? {};
}
