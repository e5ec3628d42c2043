import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Queryable } from '../src/database/database.js';
import { Reads } from '../src/database/reads.js';
import { eventually } from './support/eventually.js';
import './support/matchers.js';
import { dashboardApi } from './support/dashboard-api.js';
import { addTenant, template, type TestTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';

const service = useTestService({ DATABASE_READ_POOL: 4 });
const reads = () => service().app.get(Reads, { strict: false });
const statement = (text: string) => ({ name: '', text });

afterEach(() => {
  jest.restoreAllMocks();
});

/** Keeps all reads of a tenant from ending. @returns functions that count them and let them end */
function holdUp(tenantId: string) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const run = reads().run.bind(reads());
  let underWay = 0;
  jest.spyOn(reads(), 'run').mockImplementation((async (
    ...[text, values = []]: Parameters<Queryable['run']>
  ) => {
    if (values[0] === tenantId) {
      underWay += 1;
      await released;
    }
    return run(text, values);
  }) as Queryable['run']);
  return { underWay: () => underWay, release: () => release() };
}

const list = ({ api }: TestTenant) => api.get('/api/v1/messages');
const tenant = (phone: string) =>
  addTenant(service(), { phones: [phone], templates: [template('alpha', 'Hello!')] });

describe('Reads', () => {
  it('change nothing', async () => {
    const change = reads().run(statement(`UPDATE tenants SET name = 'changed'`));
    await expect(change).rejects.toThrow('read-only transaction');
  });

  it('are ended when they take too long, and the next one is answered', async () => {
    await expect(reads().run(statement('SELECT pg_sleep(60)'))).rejects.toThrow('statement timeout');
    expect(await reads().run(statement('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('of one tenant use at most half of the connections; more are refused after a while, unlike those of others', async () => {
    const [slow, other] = [await tenant('14155550300'), await tenant('14155550301')];
    const { underWay, release } = holdUp(slow.id);
    const held = [list(slow), list(slow)];
    await eventually(() => expect(underWay()).toBe(2));

    const refused = await list(slow);
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await list(other)).status).toBe(200);
    const sent = await slow.api.post('/api/v1/messages/send', {
      messaging_account_id: slow.accounts[0],
      phone: '+12025550100',
      message_type: 'template',
      data: { name: 'alpha' },
    });
    expect(sent.status).toBe(202);

    release();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await list(slow)).status).toBe(200);
  });

  it('of the dashboard are limited too, and a file waits longer for its turn', async () => {
    const { id, api } = await tenant('14155550302');
    const viewer = await dashboardApi(service(), 'viewer', { tenantId: id });
    const { underWay, release } = holdUp(id);
    const held = [viewer.get('/dashboard/api/messages'), viewer.get('/dashboard/api/overview')];
    await eventually(() => expect(underWay()).toBe(2));

    const file = viewer.get('/dashboard/api/messages/export');
    expect(await api.get('/api/v1/messages')).toBeError(429, 'RATE_LIMITED');
    expect(await viewer.get('/dashboard/api/overview/queue')).toBeError(429, 'RATE_LIMITED');
    release();
    expect((await Promise.all([...held, file])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
