import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import type { Answer, Api } from '../support/api.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const OPT_OUTS = '/api/v1/opt-outs';

/** Nothing is sent: this is about what is accepted. */
const service = useTestService({ ROLE: 'api' });
let tenant: TestTenant;
let other: TestTenant;
beforeAll(async () => {
  const templates = (['MARKETING', 'UTILITY'] as const).map((category) =>
    template(category.toLowerCase(), 'Hello!', { category }),
  );
  tenant = await addTenant(service(), { phones: ['14155550300'], templates });
  other = await addTenant(service(), { phones: ['14155550301'], templates });
});

const put = (phone: string, body: object, { api }: { api: Api } = tenant): Promise<Answer> =>
  api.request('PUT', `${OPT_OUTS}/${phone}`, JSON.stringify(body), { 'Content-Type': 'application/json' });
const lift = (phone: string, { api } = tenant) => api.request('DELETE', `${OPT_OUTS}/${phone}`);
const list = async (query = '', { api } = tenant) => (await api.get(`${OPT_OUTS}${query}`)).body;

const bodyOf = (name: string, phone: string, { accounts } = tenant) => ({
  messaging_account_id: accounts[0],
  phone,
  message_type: 'template',
  data: { name },
});
const send = (name: string, phone: string, changes: object = {}, headers = {}, { api } = tenant) =>
  api.post('/api/v1/messages/send', { ...bodyOf(name, phone), ...changes }, headers);
const LOGIN = {
  messaging_account_id: 'acc_DemoSalesNumber00001',
  data: {
    name: 'login_code',
    components: [
      { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '123456' }] },
    ],
  },
};

describe('An opt-out', () => {
  it('is set, shown, changed and lifted, however the number is written', async () => {
    const set = await put('+49%201511%202000001', { scope: 'marketing', reason: 'Asked by phone' });
    const kept = {
      phone: '4915112000001',
      scope: 'marketing',
      source: 'api',
      reason: 'Asked by phone',
      created_at: expect.any(String),
    };
    expect(set.status).toBe(200);
    expect(set.body.data).toEqual(kept);
    expect((await list('?phone=%2B4915112000001')).data).toEqual([kept]);
    expect((await put('4915112000001', { scope: 'all' })).body.data).toMatchObject({
      scope: 'all',
      reason: null,
    });
    const lifted = await lift('+4915112000001');
    expect([lifted.status, lifted.body.data['scope']]).toEqual([200, 'all']);
    expect(await lift('+4915112000001')).toBeError(404, 'OPT_OUT_NOT_FOUND');
    expect(await list('?phone=4915112000001')).toMatchObject({ data: [], next_cursor: null });
  });

  it('stays as it is, with its time, when it is set again', async () => {
    const first = await put('4915112000002', { scope: 'all' });
    service().clock.forward(1_000);
    expect((await put('4915112000002', { scope: 'all' })).body.data).toEqual(first.body.data);
  });

  it('is refused for what is no number, and in a wrong shape', async () => {
    expect(await put('12345', { scope: 'all' })).toBeError(422, 'INVALID_PHONE');
    expect(await lift('nobody')).toBeError(422, 'INVALID_PHONE');
    for (const body of [
      {},
      { scope: 'utility' },
      { scope: 'all', reason: '' },
      { scope: 'all', source: 'api' },
    ])
      expect(await put('4915112000003', body)).toBeError(400, 'VALIDATION_FAILED');
  });

  it.each([
    ['Mexico', '5215512345678', '525512345678'],
    ['Argentina', '5491123456789', '541123456789'],
    ['Brazil', '551187654321', '5511987654321'],
  ])('holds for both spellings of a number of %s', async (_country, one, another) => {
    for (const [set, asked] of [
      [one, another],
      [another, one],
    ] as const) {
      await put(set, { scope: 'all' });
      expect(await send('utility', asked)).toBeError(422, 'RECIPIENT_OPTED_OUT');
      expect((await lift(asked)).status).toBe(200);
    }
  });
});

describe('The list of opt-outs', () => {
  it('is newest first, page by page, and by source', async () => {
    const phones = Array.from({ length: 7 }, (_, i) => `4915112001${String(i).padStart(3, '0')}`);
    const optOuts = service().app.get(OptOutsService, { strict: false });
    // Several of the same moment.
    for (const [i, phone] of phones.entries()) {
      if (i % 3 === 0) service().clock.forward(1_000);
      const source = i % 2 === 0 ? 'dashboard' : 'api';
      await optOuts.set(other.id, { phone, scope: 'marketing', source, reason: null });
    }
    const walk = async (query: string) => {
      const found: string[] = [];
      for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
        const { data, next_cursor } = await list(`?limit=2${query}${cursor && `&cursor=${cursor}`}`, other);
        found.push(...(data as unknown as { phone: string }[]).map(({ phone }) => phone));
        cursor = next_cursor;
      }
      return found;
    };
    const all = await walk('');
    expect(all.toSorted()).toEqual(phones);
    expect(all[0]).toBe(phones[6]);
    expect((await walk('&source=api')).toSorted()).toEqual(phones.filter((_, i) => i % 2 === 1));
    expect(await walk('&source=keyword')).toEqual([]);
    expect((await list('?source=nobody', other)).error.code).toBe('VALIDATION_FAILED');
    expect((await list('?cursor=x', other)).error.code).toBe('VALIDATION_FAILED');
  });
});

describe('A send to a recipient who has opted out', () => {
  it('of marketing is refused in category MARKETING only', async () => {
    await put('4915112002000', { scope: 'marketing' });
    const refused = await send('marketing', '+4915112002000');
    expect(refused).toBeError(422, 'RECIPIENT_OPTED_OUT');
    expect(refused.body.error.details).toEqual([{ field: 'phone', scope: 'marketing' }]);
    expect((await send('utility', '+4915112002000')).status).toBe(202);
  });

  it('of all messages is refused even for a code, while marketing alone lets it through', async () => {
    const demo = service();
    for (const [scope, status] of [
      ['all', 422],
      ['marketing', 202],
    ] as const) {
      await put('4915112002001', { scope }, demo);
      const answer = await demo.api.send('+4915112002001', LOGIN);
      expect([scope, answer.status]).toEqual([scope, status]);
    }
  });

  it('is accepted by another tenant, and by this one once it is lifted', async () => {
    await put('4915112002002', { scope: 'all' });
    const theirs = bodyOf('marketing', '4915112002002', other);
    expect((await other.api.post('/api/v1/messages/send', theirs)).status).toBe(202);
    const key = { 'Idempotency-Key': 'until-lifted' };
    expect(await send('marketing', '4915112002002', {}, key)).toBeError(422, 'RECIPIENT_OPTED_OUT');
    await lift('4915112002002');
    expect((await send('marketing', '4915112002002', {}, key)).status).toBe(202);
  });

  it('leaves nothing behind: no message, no charge', async () => {
    await put('4915112002003', { scope: 'all' });
    await send('utility', '4915112002003');
    expect((await tenant.api.get('/api/v1/messages?phone=4915112002003')).body.data).toEqual([]);
  });

  it('is told by validate with the faults before and after it', async () => {
    await put('4915112002004', { scope: 'marketing' });
    const late = { scheduled_at: '2020-01-01T00:00:00Z', timezone: 'UTC' };
    const codes = async (body: object) =>
      (await tenant.api.post('/api/v1/messages/validate', body)).body.data['errors'].map(
        ({ code }: { code: string }) => code,
      );
    expect(
      await codes({
        ...bodyOf('marketing', '4915112002004'),
        ...late,
        data: { name: 'marketing', params: ['x'] },
      }),
    ).toEqual(['TEMPLATE_PARAMS_MISMATCH', 'RECIPIENT_OPTED_OUT', 'SCHEDULED_AT_IN_PAST']);
    expect(await codes(bodyOf('utility', '4915112002004'))).toEqual([]);
  });

  it('costs a good send no look of its own', async () => {
    const among = jest.spyOn(OptOutsService.prototype, 'among');
    try {
      expect((await send('marketing', '4915112002005')).status).toBe(202);
      expect(among).not.toHaveBeenCalled();
    } finally {
      among.mockRestore();
    }
  });
});
