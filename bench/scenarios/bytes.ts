import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { load } from '../load.js';
import { receipts, sends } from '../requests.js';
import { walPosition, withoutCheckpoints, writtenBetween, type Written } from '../wal.js';

/** Receipts in a payload, as the provider sends them when there are many. */
const PAYLOAD = 20;

/** Seconds: practically no limit. */
const WHOLE_DAY = 86_400;

/**
 * The tables in which a message leaves rows. Of these, inbox, digests and stream are emptied by their retention days or
 * weeks later. Not the outbox: a message has left it, and it is as large as the largest backlog was.
 */
const TABLES = [
  'message_logs',
  'message_events',
  'event_stream',
  'ledger_entries',
  'webhook_inbox',
  'webhook_digests',
  'late_sends',
];

/**
 * What one message costs PostgreSQL over its life, part by part: bytes of WAL when it is accepted, sent, delivered and
 * read, and bytes on disk at the end. They do not depend on the machine. They do on checkpoints, of which there is none
 * meanwhile. Tells which tables and indexes the bytes are of.
 */
export const bytes =
  (messages: number): Measure =>
  async (deployment, { connections }) => {
    const { environment, accounts, database } = deployment;
    await deployment.prepare();
    const before = await sizes(deployment);
    const steps: { name: string; from: string; to: string }[] = [];
    const faults: string[] = [];
    const looks: { name: string; written: Written }[] = [];
    const measure = async (name: string, work: () => Promise<unknown>) => {
      const from = await walPosition(database);
      await work();
      steps.push({ name, from, to: await walPosition(database) });
    };
    const request = async (url: string, next: () => string | null, expected: number) => {
      const options = { urls: [url], connections, expected, next, seconds: WHOLE_DAY };
      faults.push(...(await load(options)).faults);
    };
    const usage = await withoutCheckpoints(deployment, async () => {
      const api = await deployment.running({ api: 1 }, async (service) => {
        const meter = environment.meter(service);
        meter.start();
        const next = sends(accounts);
        let left = messages;
        const url = service['api']?.url ?? '';
        await measure('accepted', () => request(url, () => (left-- > 0 ? next() : null), 202));
        return meter.stop();
      });
      await deployment.running({ api: 1, worker: 1 }, async (service) => {
        await measure('sent', () => deployment.untilIdle(200));
        const ids = [...(await environment.provider.takings()).at.keys()];
        if (ids.length !== messages) faults.push(`${messages} messages were accepted, ${ids.length} taken`);
        for (const status of ['delivered', 'read'] as const) {
          let from = 0;
          const next = () => {
            const some = ids.slice(from, (from += PAYLOAD));
            return some.length > 0 ? receipts(accounts, some, status) : null;
          };
          await measure(status, async () => {
            await request(service['api']?.url ?? '', next, 200);
            await deployment.untilInboxEmpty(200);
          });
        }
      });
      // Before the next checkpoint, which removes what is looked at.
      for (const { name, from, to } of steps)
        looks.push({ name, written: await writtenBetween(database, from, to) });
      return api;
    });
    const figures: Record<string, number> = {};
    const all = { wal: 0, fullPages: 0 };
    for (const { name, written } of looks) {
      figures[`${name}Wal`] = written.bytes / messages;
      all.wal += written.bytes / messages;
      all.fullPages += written.fullPages / messages;
      environment.say(`${name}: ${listed(written.byRelation, messages)}`);
    }
    const after = await sizes(deployment);
    const grown = after.map(({ name, bytes: size }) => {
      const was = before.find((each) => each.name === name)?.bytes ?? 0;
      return { name, bytes: size - was };
    });
    environment.say(`disk: ${listed(grown, messages)}`);
    const disk = grown.reduce((sum, { bytes: size }) => sum + size, 0) / messages;
    return { figures: { ...figures, ...all, disk }, usage, faults };
  };

/** What comes to a byte a message at least. */
function listed(parts: { name: string; bytes: number }[], messages: number): string {
  const each = parts.map(({ name, bytes: size }) => ({ name, size: Math.round(size / messages) }));
  return each.flatMap(({ name, size }) => (size === 0 ? [] : [`${name} ${size}`])).join(', ');
}

/** The tables, with what PostgreSQL stores beside them, and each of their indexes: of all partitions together. */
async function sizes({ database }: Deployment): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await database.query<{ name: string; bytes: number }>(
    `WITH part AS (
       SELECT name, coalesce(i.inhrelid, to_regclass(name)) AS id
       FROM unnest($1::text[]) name LEFT JOIN pg_inherits i ON i.inhparent = to_regclass(name)
     )
     SELECT name, sum(pg_table_size(id))::float8 AS bytes FROM part GROUP BY name
     UNION ALL
     SELECT coalesce(i.inhparent, x.indexrelid)::regclass::text, sum(pg_relation_size(x.indexrelid))::float8
     FROM part JOIN pg_index x ON x.indrelid = part.id LEFT JOIN pg_inherits i ON i.inhrelid = x.indexrelid GROUP BY 1`,
    [TABLES],
  );
  return rows;
}
