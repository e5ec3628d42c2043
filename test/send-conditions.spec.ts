import { beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { SharedCaches } from '../src/database/shared-cache.js';
import { DEMO } from '../src/embedded/demo.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { PricingService } from '../src/pricing/pricing.service.js';
import { TEMPLATES_CACHE } from '../src/templates/template.store.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { sendBody } from './support/api.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { UNBALANCED } from './support/ledger.js';
import './support/matchers.js';
import { useTestService } from './support/test-service.js';
import { addTenant, template } from './support/tenants.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VALIDATE = '/api/v1/messages/validate';

const service = useTestService();

let exchange = 300;
/** A new phone number, of the sandbox's recipient with these last digits. */
const newPhone = (suffix = '0100') => `1312${(exchange += 1)}${suffix}`;
const inTime = (milliseconds: number) =>
  new Date(service().clock.now().getTime() + milliseconds).toISOString();
const later = (milliseconds: number) => ({ scheduled_at: inTime(milliseconds), timezone: 'UTC' });

async function accept(changes: Record<string, unknown>, phone = newPhone()): Promise<number> {
  const answer = await service().api.send(phone, changes);
  expect(answer.body.error).toBeUndefined();
  return answer.body.data['message_log_id'];
}

const expectRecord = (id: number, expected: Record<string, unknown>) =>
  eventually(async () => {
    const message = await service().api.message(id);
    expect(message).toMatchObject(expected);
    return message;
  });

const listed = async (query: string, api = service().api) =>
  (await api.get(`/api/v1/messages?${query}`)).body.data as unknown as Record<string, any>[];

const idsOf = (messages: Record<string, any>[]) => messages.map(({ message_log_id }) => message_log_id);

const templateOf = async (name: string) => {
  const { body } = await service().api.post(VALIDATE, { ...sendBody(newPhone()), data: { name } });
  return body.data['message'].template as { category: string; version: string };
};
const versionOf = async (name: string) => (await templateOf(name)).version;

const sql = (name: string, text: string, values: unknown[] = []) =>
  service().database.run<Record<string, any>>({ name: `test_${name}`, text }, values);

describe("A caller's own data", () => {
  const own = { client_reference: 'order/Ä-1', metadata: { shop: '7', note: '' } };

  it('stand on the record and in the list, which finds them by the reference', async () => {
    const plain = await accept({});
    const first = await accept(own);
    const second = await accept({ ...own, metadata: undefined, ...later(HOUR) });
    expect(await service().api.message(first)).toMatchObject(own);
    expect(await service().api.message(plain)).toMatchObject({ client_reference: null, metadata: null });
    const found = await listed(`client_reference=${encodeURIComponent('order/Ä-1')}`);
    expect(idsOf(found)).toEqual([second, first]);
    expect(found[1]).toMatchObject(own);
    expect(idsOf(await listed('client_reference=order/%C3%84-1&status=scheduled'))).toEqual([second]);
    expect(await listed('client_reference=order')).toEqual([]);
    const stream = service().app.get(EventStream, { strict: false });
    await eventually(async () => {
      const { events } = await stream.read(service().tenantId, null, { limit: 100 });
      const ofFirst = events.find(({ data }) => data['message_log_id'] === first);
      expect(ofFirst).toMatchObject({ type: 'message.accepted', data: own });
    });
    const [copy] = await eventually(async () => {
      const copies = copiesOf(service(), first);
      expect(copies).toHaveLength(1);
      return copies;
    });
    expect(JSON.stringify(copy)).not.toContain('order/');
  });

  it('may have any names but __proto__', async () => {
    const metadata = {
      constructor: 'a',
      prototype: 'b',
      toString: 'c',
      toJSON: 'd',
      hasOwnProperty: 'e',
    };
    const body = { ...sendBody(newPhone()), metadata };
    expect((await service().api.post(VALIDATE, body)).body.data).toMatchObject({ valid: true, errors: [] });
    const batch = await service().api.post('/api/v1/messages/batch', { messages: [body] });
    const ids = [await accept({ metadata }), batch.body.data['results'][0].message_log_id as number];
    for (const id of ids) {
      const record = await service().api.message(id);
      expect(Object.entries(record['metadata']).toSorted()).toEqual(Object.entries(metadata).toSorted());
      const stream = service().app.get(EventStream, { strict: false });
      await eventually(async () => {
        const { events } = await stream.read(service().tenantId, null, { limit: 100 });
        const event = events.find(({ data }) => data['message_log_id'] === id);
        expect(event!.data['metadata']).toEqual(record['metadata']);
      });
    }
    const json = JSON.stringify(body).replace('"constructor"', '"__proto__"');
    const type = { 'Content-Type': 'application/json' };
    const refused = await service().api.request('POST', '/api/v1/messages/send', json, type);
    expect(refused).toBeError(400, 'VALIDATION_FAILED');
    expect(refused.body.error.details).toEqual([expect.objectContaining({ field: 'metadata.__proto__' })]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("are no other tenant's", async () => {
    const other = await addTenant(service(), { phones: ['14155551201'] });
    expect(await listed('client_reference=order/%C3%84-1', other.api)).toEqual([]);
  });

  it('write nothing for who does not use them but the version of the template', async () => {
    const id = await accept({});
    const [row] = await sql(
      'added_columns',
      `SELECT num_nonnulls(client_reference, metadata, m.valid_until, max_cost, expect) AS used, template_version
        FROM message_logs m WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ used: 0, template_version: expect.any(String) });
    const record = await service().api.message(id);
    expect(record['template'].version).toBe(await versionOf('order_update'));
  });
});

describe('A send whose fields have the wrong shape', () => {
  it.each<[string, unknown]>([
    ['client_reference', ''],
    ['client_reference', 'a b'],
    ['client_reference', 'x'.repeat(129)],
    ['client_reference', 7],
    ['metadata', []],
    ['metadata', { a: 1 }],
    ['metadata', { '': 'a' }],
    ['metadata', { ['x'.repeat(41)]: 'a' }],
    ['metadata', { a: 'x'.repeat(201) }],
    ['metadata', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v']))],
    ['valid_until', '2099-01-01T10:00:00'],
    ['valid_until', 'tomorrow'],
    ['max_cost', -1],
    ['max_cost', '1e3'],
    ['max_cost', '-1'],
    ['max_cost', ''],
    ['max_cost', `0.${'1'.repeat(65)}`],
    ['max_cost', true],
    ['metadata', { constructor: 1 }],
    ['metadata', { toString: 'x'.repeat(201) }],
    ['expect', 'UTILITY'],
    ['expect.category', { category: 'SERVICE' }],
    ['expect.version', { version: 'x' }],
  ])('is refused: %s as %j', async (field, value) => {
    const answer = await service().api.send(newPhone(), { [field.split('.')[0] as string]: value });
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('is told of that alone beside names that every object has', async () => {
    const metadata = { constructor: 'a', prototype: 'b', toString: 'c' };
    const changes = { metadata, message_type: 'text' };
    const answer = await service().api.send(newPhone(), changes);
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'message_type' })]);
    const { errors } = (await service().api.post(VALIDATE, { ...sendBody(newPhone()), ...changes })).body
      .data;
    expect(errors).toEqual([answer.body.error]);
  });

  it('is accepted at the bounds', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${10 + i}${'𝒌'.repeat(38)}`, '𝒗'.repeat(200)]),
    );
    const id = await accept({ client_reference: 'x'.repeat(128), metadata, max_cost: '99999999.999999' });
    expect(await service().api.message(id)).toMatchObject({ metadata, max_cost: 99_999_999.999_999 });
  });
});

describe('A send under conditions', () => {
  it('is accepted while they hold, and has them on its record', async () => {
    const expectation = { category: 'UTILITY', template_version: await versionOf('order_update') };
    const conditions = { valid_until: inTime(HOUR), max_cost: 0.5, expect: expectation };
    const id = await accept(conditions);
    expect(await service().api.message(id)).toMatchObject(conditions);
    await expectRecord(id, { status: 'read' });
  });

  it.each<[number | string, number]>([
    [0.5 + 0.0039000000000000003, 0.5039],
    [0.7052875, 0.705287],
    [123_456_789, 99_999_999.999_999],
    [1e300, 99_999_999.999_999],
    ['0.50000000000000000001', 0.5],
    ['12345678901234567890', 99_999_999.999_999],
  ])('may cost any decimal: %s, which is on the record as %s', async (maxCost, kept) => {
    const body = { ...sendBody(newPhone()), max_cost: maxCost };
    expect((await service().api.post(VALIDATE, body)).body.data).toMatchObject({ valid: true, errors: [] });
    expect(await service().api.message(await accept({ max_cost: maxCost }))).toMatchObject({
      max_cost: kept,
    });
    const batch = await service().api.post('/api/v1/messages/batch', { messages: [body] });
    expect(batch.body.data).toMatchObject({ accepted: 1 });
  });

  it.each([1e-7, 0.0039000000000000003, '0.0000000001'])(
    'that may cost %s is compared exactly',
    async (most) => {
      const answer = await service().api.send(newPhone(), { max_cost: most });
      expect(answer).toBeError(422, 'COST_ABOVE_MAX');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ expected: Number(most) })]);
    },
  );

  it.each<[string, () => object, string[]]>([
    ['without its zone', () => ({ scheduled_at: inTime(HOUR) }), ['TIMEZONE_REQUIRED']],
    [
      'in the past',
      () => ({ scheduled_at: '2026-01-01T00:00:00Z', timezone: 'UTC' }),
      ['SCHEDULED_AT_IN_PAST'],
    ],
    ['that cannot be read', () => ({ scheduled_at: 'soon', timezone: 'UTC' }), ['VALIDATION_FAILED']],
  ])('is told by validate to be late beside a schedule %s', async (_what, schedule, codes) => {
    const past = { valid_until: '2026-01-01T00:00:00Z', ...schedule() };
    const told = async (changes: object) =>
      (await service().api.post(VALIDATE, { ...sendBody(newPhone()), ...changes })).body.data['errors'].map(
        ({ code }: { code: string }) => code,
      );
    expect(await told(past)).toEqual([...codes, 'VALID_UNTIL_IN_PAST']);
    expect(await told({ ...schedule(), valid_until: inTime(HOUR) })).toEqual(codes);
    expect((await service().api.send(newPhone(), past)).body.error.code).toBe(codes[0]);
  });

  it.each<[string, Record<string, unknown>, string, object]>([
    [
      'late',
      { valid_until: '2026-01-01T00:00:00Z' },
      'VALID_UNTIL_IN_PAST',
      { field: 'valid_until', due_at: expect.any(String) },
    ],
    [
      'late for its schedule',
      { valid_until: '2026-01-01T00:00:00Z', scheduled_at: '2099-01-01T00:00:00Z' },
      'TIMEZONE_REQUIRED',
      { field: 'timezone' },
    ],
    [
      'dear',
      { max_cost: '0.000001' },
      'COST_ABOVE_MAX',
      { field: 'max_cost', expected: 0.000_001, currency: 'USD' },
    ],
    [
      'of another category',
      { expect: { category: 'MARKETING' } },
      'EXPECTATION_FAILED',
      { field: 'expect.category', expected: 'MARKETING', actual: 'UTILITY' },
    ],
    [
      'of other content',
      { expect: { template_version: 'another' } },
      'EXPECTATION_FAILED',
      { field: 'expect.template_version', expected: 'another' },
    ],
  ])('is refused when it would be %s', async (_what, changes, code, detail) => {
    const phone = newPhone();
    const answer = await service().api.send(phone, changes);
    expect(answer).toBeError(422, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining(detail)]);
    expect(await listed(`phone=${phone}`)).toEqual([]);
  });

  it('is told by validate with all of its faults, in the order of the checks', async () => {
    const conditions = {
      valid_until: inTime(HOUR),
      max_cost: 0,
      expect: { category: 'MARKETING', template_version: 'another' },
    };
    const body = { ...sendBody(newPhone()), ...later(2 * HOUR), ...conditions };
    const { errors } = (await service().api.post(VALIDATE, body)).body.data;
    expect(errors.map(({ code }: { code: string }) => code)).toEqual([
      'VALID_UNTIL_IN_PAST',
      'COST_ABOVE_MAX',
      'EXPECTATION_FAILED',
    ]);
    expect(errors[2].details).toHaveLength(2);
    expect(await service().api.send(newPhone(), { ...later(2 * HOUR), ...conditions })).toBeError(
      422,
      'VALID_UNTIL_IN_PAST',
    );
    const unreadable = { ...body, valid_until: 'soon', max_cost: -1 };
    const told = (await service().api.post(VALIDATE, unreadable)).body.data['errors'];
    expect(told.map(({ code }: { code: string }) => code)).toEqual([
      'VALIDATION_FAILED',
      'EXPECTATION_FAILED',
    ]);
  });
});

describe('A message whose conditions hold no longer when it is to leave', () => {
  beforeAll(async () => {
    const words = (text: string) => template('reminder', text, { category: 'UTILITY' });
    service().sandbox.addTemplate(DEMO.wabaId, words('We wait for you.'));
    await sync();
  });

  const sync = async () => {
    const { app } = service();
    const account = await app.get(AccountsService, { strict: false }).secretsOfWaba(DEMO.wabaId);
    await app.get(TemplateSyncService, { strict: false }).sync(account!.id);
  };

  /** Its failure is refunded, and no call was made. */
  async function expectUnwanted(id: number, code: string) {
    const message = await expectRecord(id, { status: 'failed', attempts: 0, error: { code } });
    expect(message['events'].map(({ event }: { event: string }) => event)).toEqual(['accepted', 'failed']);
    expect(copiesOf(service(), id)).toEqual([]);
    expect(await sql('unbalanced', UNBALANCED)).toEqual([]);
  }

  it('fails when it is late, whatever held it up', async () => {
    const { api, clock, sandbox } = service();
    sandbox.control.revokeToken(DEMO.wabaId);
    const first = await accept({});
    await eventually(async () => {
      const [hold] = await sql('holds', 'SELECT id FROM holds WHERE lifted_at IS NULL');
      expect(hold).toBeDefined();
    });
    await accept({}); // the next one that tries the hold
    const held = await accept({ valid_until: inTime(10 * MINUTE) });
    const wanted = await accept({ valid_until: inTime(24 * HOUR) });
    expect(await api.message(held)).toMatchObject({ status: 'queued' });
    clock.forward(10 * MINUTE);
    await expectUnwanted(held, 'EXPIRED');
    sandbox.control.restoreToken(DEMO.wabaId);
    clock.forward(MINUTE);
    for (const id of [first, wanted]) await expectRecord(id, { status: 'read' });
  });

  it('fails when its price has risen above what it may cost', async () => {
    const { app, clock } = service();
    const { cost } = await service().api.message(await accept({}));
    const [cheap, dear] = [
      await accept({ ...later(HOUR), max_cost: cost }),
      await accept({ ...later(HOUR), max_cost: cost * 10 }),
    ];
    const [card] = await sql('card', 'SELECT rates FROM rate_cards ORDER BY effective_from DESC LIMIT 1');
    await app
      .get(PricingService, { strict: false })
      .load(
        twice(card!['rates'] as { market: string; currency: string; category: string; amount: string }[]),
        clock.now(),
      );
    clock.forward(HOUR);
    await expectUnwanted(cheap, 'COST_ABOVE_MAX');
    await expectRecord(dear, { status: 'read', cost });
  });

  it('fails when the provider has changed the template, and goes when nothing of that was expected', async () => {
    const { app, clock, sandbox } = service();
    const version = await versionOf('reminder');
    const data = { name: 'reminder' };
    const [content, category, any] = [
      await accept({ ...later(HOUR), data, expect: { template_version: version } }),
      await accept({ ...later(HOUR), data, expect: { category: 'UTILITY' } }),
      await accept({ ...later(HOUR), data }),
    ];
    sandbox.control.setCategory('reminder', 'MARKETING');
    await eventually(async () => expect((await templateOf('reminder')).category).toBe('MARKETING'));
    await sql(
      'other_words',
      `UPDATE templates SET body_json = '[{"type": "BODY", "text": "We still wait for you."}]' WHERE name = 'reminder'`,
    );
    await app.get(SharedCaches, { strict: false }).changed(TEMPLATES_CACHE);
    await eventually(async () => expect(await versionOf('reminder')).not.toBe(version));
    clock.forward(HOUR);
    await expectUnwanted(content, 'EXPECTATION_FAILED');
    await expectUnwanted(category, 'EXPECTATION_FAILED');
    const sent = await expectRecord(any, { status: 'read' });
    expect(sent['template'].version).toBe(version);
  });
});

describe('An auto-retry', () => {
  const capped = async (changes: Record<string, unknown>) => {
    const id = await accept({ auto_retry_on_frequency_cap: true, ...changes }, newPhone('0112'));
    await expectRecord(id, { status: 'failed', error: { code: 131049 } });
    return sql('retry', 'SELECT id FROM message_logs WHERE retry_of = $1', [id]);
  };

  it('has the fields of its original', async () => {
    const fields = {
      client_reference: 'order-2',
      metadata: { a: 'b' },
      valid_until: inTime(48 * HOUR),
      max_cost: 0.75,
      expect: { category: 'UTILITY' },
    };
    const [retry] = await capped(fields);
    const record = await service().api.message(retry!['id']);
    expect(record).toMatchObject({ ...fields, retry_count: 1 });
    expect(record['template'].version).toMatch(/^[0-9a-f]{32}$/);
    const [entry] = await sql('entry', 'SELECT valid_until FROM outbox WHERE message_log_id = $1', [
      retry!['id'],
    ]);
    expect(entry!['valid_until'].toISOString()).toBe(fields.valid_until);
  });

  it('is not made when it would come after the time for which the message is wanted', async () => {
    expect(await capped({ valid_until: inTime(25 * HOUR) })).toEqual([]);
    expect(await sql('unbalanced', UNBALANCED)).toEqual([]);
  });
});

/** The rates as a card in the provider's form, at twice the price. */
function twice(rates: { market: string; currency: string; category: string; amount: string }[]): string {
  const columns = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'AUTHENTICATION_INTERNATIONAL'];
  const lines = [...new Set(rates.map(({ market }) => market))].map((market) => {
    const own = rates.filter((rate) => rate.market === market);
    const cells = columns.map((category) => {
      const rate = own.find((each) => each.category === category);
      return rate ? String(Number(rate.amount) * 2) : '';
    });
    return [`"${market}"`, own[0]?.currency, ...cells].join(',');
  });
  return ['Market,Currency,Marketing,Utility,Authentication,Authentication-International', ...lines].join(
    '\n',
  );
}
