import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { load } from '../load.js';
import { receipts, sends } from '../requests.js';

/** Receipts in a payload, as the provider sends them when there are many. */
const PAYLOAD = 20;

/** Seconds: practically no limit. */
const WHOLE_DAY = 86_400;

/** The tables in which a message leaves rows, except for the inbox, which its retention empties days later. */
const TABLES = ['message_logs', 'message_events', 'ledger_entries', 'outbox', 'webhook_inbox'];

/**
 * What one message costs PostgreSQL over its life, part by part: bytes of WAL when it is accepted, sent, delivered and
 * read, and bytes on disk at the end. They do not depend on the machine. They do on checkpoints, of which there is none
 * meanwhile.
 */
export const bytes =
  (messages: number): Measure =>
  async (deployment, { connections }) => {
    const { environment, accounts } = deployment;
    await deployment.prepare();
    const before = await diskOf(deployment);
    const figures: Record<string, number> = {};
    const faults: string[] = [];
    const measure = async (name: string, work: () => Promise<unknown>) => {
      const start = await walOf(deployment);
      await work();
      figures[`${name}Wal`] = ((await walOf(deployment)) - start) / messages;
    };
    const request = async (url: string, next: () => string | null, expected: number) => {
      const options = { urls: [url], connections, expected, next, seconds: WHOLE_DAY };
      faults.push(...(await load(options)).faults);
    };
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
    figures['wal'] = Object.values(figures).reduce((sum, part) => sum + part, 0);
    figures['disk'] = ((await diskOf(deployment)) - before) / messages;
    return { figures, usage: api, faults };
  };

async function walOf({ database }: Deployment): Promise<number> {
  const { rows } = await database.query<{ at: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS at`,
  );
  return Number(rows[0]?.at);
}

async function diskOf({ database }: Deployment): Promise<number> {
  const { rows } = await database.query<{ size: string }>(
    'SELECT sum(pg_total_relation_size(to_regclass(name)))::text AS size FROM unnest($1::text[]) name',
    [TABLES],
  );
  return Number(rows[0]?.size);
}
