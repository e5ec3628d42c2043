import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const MESSAGES = '/api/v1/messages';
const HOUR = 3_600_000;

interface Item {
  message_log_id: number;
  messaging_account_id: string;
  phone: string;
  template: { name: string };
  status: string;
  created_at: string;
}

let service: TestService;
let tenant: TestTenant;
/** The tenant's messages before the tests, newest first: 60 scheduled ones, some of them accepted at the same time. */
let all: Item[];

beforeAll(async () => {
  service = await startTestService();
  tenant = await addTenant(service, {
    phones: ['14155550200', '14155550201'],
    templates: [template('alpha', 'Hello!'), template('beta', 'Hello!')],
  });
  for (let i = 0; i < 3; i += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));
    service.clock.forward(60_000);
  }
  all = (await list('?limit=100')).items;
});
afterAll(() => service.stop());

async function send(n: number, hours = 1): Promise<number> {
  const answer = await tenant.api.post(`${MESSAGES}/send`, {
    messaging_account_id: tenant.accounts[n % 2],
    phone: `+120255501${60 + (n % 3)}`,
    message_type: 'template',
    data: { name: n % 4 < 2 ? 'alpha' : 'beta' },
    scheduled_at: new Date(service.clock.now().getTime() + hours * HOUR).toISOString(),
    timezone: 'UTC',
  });
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'] as number;
}

async function list(query: string): Promise<{ items: Item[]; next: string | null }> {
  const answer = await tenant.api.get(`${MESSAGES}${query}`);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).toSorted()).toEqual(['data', 'next_cursor', 'success']);
  return { items: answer.body.data as unknown as Item[], next: answer.body.next_cursor as string | null };
}

/** The ids on all pages, in order; `between` runs after each page. */
async function walk(
  query: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { items, next } = await list(`${query}${cursor && `&cursor=${cursor}`}`);
    ids.push(...idsOf(items));
    cursor = next;
    await between();
  }
  return ids;
}

const idsOf = (items: Item[]) => items.map((item) => item.message_log_id);
const newestFirst = (a: Item, b: Item) =>
  Date.parse(b.created_at) - Date.parse(a.created_at) || b.message_log_id - a.message_log_id;

describe('The list of messages', () => {
  it('is newest first', async () => {
    expect(all).toHaveLength(60);
    expect(idsOf(all)).toEqual(idsOf(all.toSorted(newestFirst)));
    expect(new Set(all.map((item) => item.created_at)).size).toBeLessThan(60);
  });

  it('has the full records, except for their events', async () => {
    const record = await tenant.api.message(idsOf(all)[0] as number);
    expect({ ...all[0], events: record['events'] }).toEqual(record);
  });

  it('has 50 in a page unless the caller asks for another number', async () => {
    expect((await list('')).items).toEqual(all.slice(0, 50));
    expect((await list('?limit=1')).items).toEqual(all.slice(0, 1));
  });

  it('ends with a null cursor, also when the last page is full', async () => {
    expect((await list('?limit=59')).next).toEqual(expect.any(String));
    expect((await list('?limit=60')).next).toBeNull();
    expect((await list('?template=nothing')).next).toBeNull();
  });

  it.each([
    '0',
    '-1',
    '101',
    '1.5',
    'abc',
    '',
    '1e9',
    'NaN',
    'Infinity',
    '99999999999999999999',
    '5&limit=6',
  ])('refuses a limit of %s', async (limit) => {
    expect(await tenant.api.get(`${MESSAGES}?limit=${limit}`)).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'limit' }),
    ]);
  });
});

describe('Its pages', () => {
  it.each([1, 7, 20, 59])('of %d have no gap and no duplicate', async (limit) => {
    expect(await walk(`?limit=${limit}`)).toEqual(idsOf(all));
  });

  it('keep within the filter', async () => {
    const wanted = all.filter((item) => item.template.name === 'beta' && item.phone === '12025550161');
    expect(await walk('?limit=3&template=beta&phone=12025550161')).toEqual(idsOf(wanted));
  });

  it.each([
    '',
    'x',
    'null',
    '0',
    Buffer.from('1').toString('base64url'),
    Buffer.from('1.2.3').toString('base64url'),
    Buffer.from('-1.1').toString('base64url'),
    Buffer.from('1.-1').toString('base64url'),
    Buffer.from('1e3.1').toString('base64url'),
    Buffer.from('9999999999999999.1').toString('base64url'),
    Buffer.from("1.1'--").toString('base64url'),
    `${Buffer.from('1763700000000.1').toString('base64url')}!`,
    `${Buffer.from('1763700000000.1').toString('base64')}=`,
    'A'.repeat(300),
  ])('are refused for the malformed cursor %j', async (cursor) => {
    expect(await tenant.api.get(`${MESSAGES}?cursor=${encodeURIComponent(cursor)}`)).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'cursor' })],
    );
  });

  it.each(['0.0', '0.999999999999999', '999999999999999.999999999999999'])(
    'may begin at any position: %s',
    async (place) => {
      const answer = await tenant.api.get(`${MESSAGES}?cursor=${Buffer.from(place).toString('base64url')}`);
      expect(answer.status).toBe(200);
    },
  );
});

const middle = () => all[30]?.created_at;
const newest = () => all[0]?.created_at;

const value = (name: string) =>
  ({
    template: 'alpha',
    phone: '+1 (202) 555-0160',
    messaging_account_id: tenant.accounts[0],
    status: 'scheduled',
    created_from: middle(),
    created_to: newest(),
  })[name] ?? '';

describe('Its filters', () => {
  const is: Record<string, (item: Item) => boolean> = {
    template: (item) => item.template.name === 'alpha',
    phone: (item) => item.phone === '12025550160',
    messaging_account_id: (item) => item.messaging_account_id === tenant.accounts[0],
    status: () => true,
    created_from: (item) => item.created_at >= (middle() as string),
    created_to: (item) => item.created_at < (newest() as string),
  };
  const names = Object.keys(is);
  /** Every combination of the filters. */
  const sets = Array.from({ length: 2 ** names.length }, (_, i) =>
    names.filter((_name, bit) => i & (1 << bit)),
  );

  it.each([1, 2, 3, 4, 5, 6])('can be combined, %d at a time', async (size) => {
    for (const set of sets.filter((one) => one.length === size)) {
      const query = set.map((name) => `&${name}=${encodeURIComponent(value(name))}`).join('');
      const wanted = all.filter((item) => set.every((name) => is[name]?.(item)));
      expect({ set, ids: await walk(`?limit=${size > 4 ? 2 : 25}${query}`) }).toEqual({
        set,
        ids: idsOf(wanted),
      });
    }
  });

  it.each([
    ['2026-02-30T10:00:00Z'],
    ['2026-13-01T10:00:00Z'],
    ['yesterday'],
    [''],
    ['1763700000'],
    ['2026-W05-1'],
    ['2026-033'],
    ['2026-02-01T10:00:00 04:00'],
    ['+012026-02-01T10:00:00Z'],
  ])('refuse the time %j', async (time) => {
    for (const field of ['created_from', 'created_to']) {
      const answer = await tenant.api.get(`${MESSAGES}?${field}=${encodeURIComponent(time)}`);
      expect(answer).toBeError(400, 'VALIDATION_FAILED', [expect.objectContaining({ field })]);
    }
  });

  it.each(['0001-01-01T00:00:00Z', '20260101T000000Z', '2026-01-01T00:00+14:00', '0000-01-01T00:00:00Z'])(
    'accept the time %s',
    async (time) => {
      const { items } = await list(`?limit=100&created_from=${encodeURIComponent(time)}`);
      expect(idsOf(items)).toEqual(idsOf(all));
    },
  );

  it('read a time without an offset as UTC', async () => {
    const { items } = await list(`?limit=100&created_from=${middle()?.replace('Z', '')}`);
    expect(idsOf(items)).toEqual(idsOf(all.filter((item) => is['created_from']?.(item))));
  });

  it.each([
    ['status=done', 400, 'VALIDATION_FAILED'],
    ['phone=123', 422, 'INVALID_PHONE'],
    ['messaging_account_id=acc_Nobody', 404, 'ACCOUNT_NOT_FOUND'],
    ['account=1', 400, 'VALIDATION_FAILED'],
  ])('answer %s by %i %s', async (query, status, code) => {
    expect(await tenant.api.get(`${MESSAGES}?${query}`)).toBeError(status, code);
  });
});

describe('While messages arrive', () => {
  it('the pages have each message once that was there before', async () => {
    const ids = await walk('?limit=9', () => Promise.all([send(1), send(2), send(3)]));
    expect(ids).toEqual(idsOf(all));
  });

  it('messages that become due are listed by their new status', async () => {
    expect((await list('?status=queued')).items).toEqual([]);
    service.clock.forward(2 * HOUR);
    await eventually(async () => {
      expect((await list('?status=scheduled')).items).toEqual([]);
      const { items } = await list('?limit=100&status=read');
      expect(items.length).toBeGreaterThanOrEqual(60);
    });
  });
});

describe('A rare template among many messages', () => {
  it('is found in full, however many pages it takes', async () => {
    const { id, accounts, api } = await addTenant(service, { phones: ['14155550400'] });
    await service.database.run({
      name: '',
      text: `
        INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
          components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
        SELECT '${id}', n.id, 1, '12025550100', CASE WHEN i % 12000 = 0 THEN 'rare' ELSE 'common' END, 'en_US', '[]',
          'read', false, 'UTILITY', 1, 'USD', date_trunc('milliseconds', now()) - i * interval '1 second'
        FROM messaging_accounts n, generate_series(1, 40000) i WHERE n.api_id = '${accounts[0]}'`,
    });
    const found: Item[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await api.get(`${MESSAGES}?template=rare&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.data['length']).toBeLessThanOrEqual(2);
      found.push(...(body.data as unknown as Item[]));
      cursor = body.next_cursor as string | null;
    }
    expect(found.map((item) => item.template.name)).toEqual(['rare', 'rare', 'rare']);
    expect(found).toEqual(found.toSorted(newestFirst));
    const common = await api.get(`${MESSAGES}?template=common&limit=100`);
    expect(common.body.data).toHaveLength(100);
  });
});
