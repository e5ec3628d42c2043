import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Queryable } from '../src/database/database.js';
import { READ_EVENTS } from '../src/messages/events/event-stream.sql.js';
import { eventually } from './support/eventually.js';
import type { TestService } from './support/service.js';
import { ENDPOINTS as PATH, useEndpoints } from './support/webhook-endpoints.js';

const ENDPOINTS = 20;

const { service: started, receive } = useEndpoints();
let service: TestService;
beforeAll(() => {
  service = started();
});

const sql = (text: string) => service.database.run<Record<string, any>>({ name: '', text });

/** Endpoints that are posted to, and how many of them read events at this moment. */
async function state(): Promise<{ leased: number; reading: number }> {
  const name = READ_EVENTS.text.trim().slice(0, 60).replaceAll("'", "''");
  const [row] = await sql(`
    SELECT (SELECT count(*)::integer FROM webhook_endpoints WHERE leased_by IS NOT NULL) AS leased,
      (SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND position('${name}' IN query) BETWEEN 1 AND 20) AS reading`);
  return row as { leased: number; reading: number };
}

/** Makes endpoints that are due while nobody can read events, until the work is done. */
async function whileNobodyReads(
  count: number,
  work: (stillLocked: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { url } = await receive();
  for (let i = 0; i < count; i += 1) await service.api.post(PATH, { url });
  const resting = 'SELECT FROM webhook_endpoints WHERE leased_by IS NULL AND next_try_at > now()';
  await eventually(async () => expect(await sql(resting)).toHaveLength(count));
  await service.database.transaction(async (connection: Queryable) => {
    await connection.run({ name: '', text: 'LOCK TABLE event_stream IN ACCESS EXCLUSIVE MODE' });
    await sql('UPDATE webhook_endpoints SET next_try_at = now()');
    await work(() => connection.run({ name: '', text: 'SELECT 1' }));
  });
}

describe('Endpoints whose events are read slowly', () => {
  it('leave connections to the lists of their tenant and of others', async () => {
    await whileNobodyReads(ENDPOINTS, async (stillLocked) => {
      await eventually(async () => {
        await stillLocked();
        const { leased, reading } = await state();
        expect({ leased, isReading: reading > 0 }).toEqual({ leased: ENDPOINTS, isReading: true });
      });
      const lists = Array.from({ length: 3 }, () => service.api.get('/api/v1/messages'));
      expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await state()).reading).toBeLessThanOrEqual(1);
    });
  });

  it('are looked at again in seconds, not at the end of their lease', async () => {
    await whileNobodyReads(1, async (stillLocked) => {
      await eventually(async () => expect(await state()).toEqual({ leased: 1, reading: 1 }));
      await eventually(async () => {
        await stillLocked();
        expect(await state()).toEqual({ leased: 0, reading: 0 });
      });
      const [row] = await sql(
        "SELECT failures, next_try_at < now() + interval '5 s' AS soon FROM webhook_endpoints",
      );
      expect(row).toEqual({ failures: 0, soon: true });
    });
  });
});
