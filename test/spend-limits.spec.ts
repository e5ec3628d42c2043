import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { ApiKeysService } from '../src/accounts/api-keys.service.js';
import { SpendChangesService } from '../src/spending/spend-changes.service.js';
import { type SpendLimitTarget, SpendLimitsService } from '../src/spending/spend-limits.service.js';
import { SPENT_BEFORE } from '../src/spending/spend-limits.sql.js';
import { Client } from 'pg';
import { type Answer, Api, sendBody } from './support/api.js';
import { eventually } from './support/eventually.js';
import { directUrlOf } from './support/infrastructure.js';
import { UNBALANCED } from './support/ledger.js';
import './support/matchers.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';
import { addTenant, template } from './support/tenants.js';

const BATCH = '/api/v1/messages/batch';
const DAY = 86_400_000;

let service: TestService;
let second: { api: Api; app: TestService['app']; stop(): Promise<void> };
let limits: SpendLimitsService;
/** What each message of these tests costs. */
let cost: number;
/** The id of the number that they go out by. */
let numberId: number;
let keyId: string;

beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' }, { limits: false });
  second = await startSecondService(service);
  limits = service.app.get(SpendLimitsService, { strict: false });
  const answer = await service.api.send(newPhone());
  cost = answer.body.data['cost'];
  const accounts = service.app.get(AccountsService, { strict: false });
  numberId = (await accounts.find(service.tenantId, DEMO.numbers[0].apiId as string)).id;
  const keys = await service.app.get(ApiKeysService, { strict: false }).list(service.tenantId);
  keyId = keys[0]!.id;
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});
afterEach(async () => {
  for (const { spend_limit_id } of await limits.list(service.tenantId))
    await limits.remove(service.tenantId, spend_limit_id);
});

let phones = 0;
const newPhone = () => `1313${String((phones += 1)).padStart(7, '5550000')}`;
const bodies = (length: number) => Array.from({ length }, () => sendBody(newPhone()));
const sql = (name: string, text: string, values: unknown[] = []) =>
  service.database.run<Record<string, any>>({ name: `test_${name}`, text }, values);

const tenantLimit = (changes: Partial<SpendLimitTarget> = {}): SpendLimitTarget => ({
  tenantId: service.tenantId,
  scope: 'tenant',
  targetId: service.tenantId,
  period: 'day',
  currency: 'USD',
  ...changes,
});
const ofNumber = (id = numberId) => tenantLimit({ scope: 'number', targetId: String(id) });
const ofKey = (id = keyId) => tenantLimit({ scope: 'api_key', targetId: id });

/** What is spent already, as a limit tells that holds from now on. */
async function spent(target: SpendLimitTarget = tenantLimit()): Promise<number> {
  const id = await limits.set(target, '1000000');
  const found = (await limits.list(service.tenantId)).find((limit) => limit.spend_limit_id === id);
  return Number(found!.spent);
}

/** Sets a limit with room for so many messages more. */
async function allow(messages: number, target: SpendLimitTarget = tenantLimit()): Promise<number> {
  const amount = (await spent(target)) + messages * cost;
  return limits.set(target, amount.toFixed(6));
}

async function stateOf(id: number) {
  return (await limits.list(service.tenantId)).find((limit) => limit.spend_limit_id === id)!;
}

/** What the ledger has for the messages of this day, of all keys or one. */
async function booked(key: string | null = null): Promise<number> {
  const [row] = await sql(
    'booked',
    `SELECT sum(CASE l.kind WHEN 'charge' THEN l.amount ELSE -l.amount END)::float8 AS sum
      FROM ledger_entries l JOIN message_logs m ON m.id = l.message_log_id
      WHERE date_trunc('day', m.created_at, 'UTC') = date_trunc('day', $1::timestamptz, 'UTC')
        AND m.tenant_id = $3 AND ($2::uuid IS NULL OR m.api_key_id = $2)`,
    [service.clock.now(), key, service.tenantId],
  );
  return row!['sum'];
}

const codeOf = ({ status, body }: Answer) => (status === 202 ? 'accepted' : body.error.code);
const codesOf = ({ body }: Answer) =>
  (body.data['results'] as { error?: { code: string } }[]).map(({ error }) => error?.code ?? 'accepted');
const count = (codes: string[], code: string) => codes.filter((one) => one === code).length;

describe('A spending limit', () => {
  it('that allows 20 messages lets 20 of 64 pass that are sent at once to two processes', async () => {
    const id = await allow(20);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => (i % 2 ? second.api : service.api).send(newPhone())),
    );
    const codes = answers.map(codeOf);
    expect([count(codes, 'accepted'), count(codes, 'SPEND_LIMIT_REACHED')]).toEqual([20, 44]);
    const { spent: sum, amount } = await stateOf(id);
    expect(sum).toBe(amount);
    expect(Number(sum)).toBeCloseTo(await booked(), 6);
  });

  it('says which limit has no room, of what period, and when it begins anew', async () => {
    await allow(0);
    await allow(0, { ...ofKey(), period: 'month' });
    const answer = await service.api.send(newPhone());
    expect(answer).toBeError(422, 'SPEND_LIMIT_REACHED');
    const now = service.clock.now();
    const anew = (months: number, days: number) =>
      new Date(
        Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, days === 0 ? 1 : now.getUTCDate() + days),
      ).toISOString();
    expect(answer.body.error.details).toEqual([
      expect.objectContaining({
        limit: 'tenant',
        period: 'day',
        currency: 'USD',
        begins_anew_at: anew(0, 1),
      }),
      expect.objectContaining({ limit: 'api_key', period: 'month', begins_anew_at: anew(1, 0) }),
    ]);
  });

  it('is exact for batches of two processes under a limit of the tenant, the number and the key together', async () => {
    const ids = [await allow(90), await allow(70, ofNumber()), await allow(50, ofKey())];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? second.api : service.api).post(BATCH, { messages: bodies(20) }),
      ),
    );
    const codes = answers.flatMap(codesOf);
    expect([count(codes, 'accepted'), count(codes, 'SPEND_LIMIT_REACHED')]).toEqual([50, 110]);
    const states = await Promise.all(ids.map(stateOf));
    const left = states.map(({ amount, spent: sum }) => Math.round((Number(amount) - Number(sum)) / cost));
    expect(left).toEqual([40, 20, 0]);
  });

  it('refuses the messages of a batch one by one in their order, and later ones that cost less still pass', async () => {
    const cheap = { ...sendBody(newPhone()), phone: '+919876543210' };
    const price = (await service.api.post('/api/v1/messages/validate', cheap)).body.data['price'].amount;
    expect(price).toBeLessThan(cost);
    const amount = (await spent()) + 2 * cost + price;
    await limits.set(tenantLimit(), amount.toFixed(6));
    const key = { 'Idempotency-Key': 'in-order' };
    const messages = [...bodies(3), cheap, ...bodies(1), cheap];
    const answer = await service.api.post(BATCH, { messages }, key);
    const reached = 'SPEND_LIMIT_REACHED';
    expect(codesOf(answer)).toEqual(['accepted', 'accepted', reached, 'accepted', reached, reached]);
    const again = await second.api.post(BATCH, { messages }, key);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body.data).toEqual(answer.body.data);
  });

  it('counts no message that is refused for another reason, nor a repeated one', async () => {
    const id = await allow(10);
    const before = Number((await stateOf(id)).spent);
    const body = sendBody(newPhone());
    const key = { 'Idempotency-Key': 'counted-once' };
    for (const api of [service.api, second.api])
      expect((await api.post('/api/v1/messages/send', body, key)).status).toBe(202);
    expect(await service.api.send('12')).toBeError(422, 'INVALID_PHONE');
    expect(Number((await stateOf(id)).spent)).toBeCloseTo(before + cost, 6);
  });

  it.each(['A send', 'A batch'])(
    'whose last room is asked for twice with one key, in two processes, is taken once: %s',
    async (what) => {
      const limit = await allow(1);
      const body = sendBody(newPhone());
      const key = { 'Idempotency-Key': `last-room-${what.replace(' ', '-')}` };
      const ask = (api: Api) =>
        what === 'A send'
          ? api.post('/api/v1/messages/send', body, key)
          : api.post(BATCH, { messages: [body] }, key);
      const holder = new Client({ connectionString: directUrlOf(service.config) });
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM spend_limits FOR UPDATE');
      const asked = [ask(service.api), ask(second.api)];
      await eventually(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await sql('both_wait', waiting)).toHaveLength(2);
      });
      await holder.query('ROLLBACK');
      await holder.end();
      const answers = await Promise.all(asked);
      for (const { body: told } of answers) expect(told).toEqual(answers[0]!.body);
      expect(answers[0]!.body.success).toBe(true);
      const replayed = answers.map(({ headers }) => headers.get('Idempotency-Replayed'));
      expect(replayed.toSorted()).toEqual([null, 'true']);
      const { spent: sum, amount } = await stateOf(limit);
      expect(sum).toBe(amount);
    },
  );

  it('that another statement keeps locked holds up no other tenant', async () => {
    const other = await addTenant(service, { templates: [template('hello', 'Hello {{1}}')] });
    const own = { tenantId: other.id, targetId: other.id };
    for (const changes of [{}, own]) await limits.set(tenantLimit(changes), '1000000');
    const holder = new Client({ connectionString: directUrlOf(service.config) });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM spend_limits WHERE tenant_id = $1 FOR UPDATE', [service.tenantId]);
    const waiting = [1, 2, 3, 4].map(() => service.api.send(newPhone()));
    await eventually(async () => {
      const found = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await sql('one_waits', found)).not.toEqual([]);
    });
    const sent = await other.api.send(newPhone(), {
      messaging_account_id: other.accounts[0],
      data: { name: 'hello', params: ['Amal'] },
    });
    await holder.query('ROLLBACK');
    await holder.end();
    await Promise.all(waiting);
    expect(sent.status).toBe(202);
    await limits.remove(other.id, (await limits.list(other.id))[0]!.spend_limit_id);
  });

  it('is for messages of its own key, number and currency only', async () => {
    const other = await service.app.get(ApiKeysService, { strict: false }).create(service.tenantId, 'Other');
    await allow(0, ofKey());
    await limits.set(tenantLimit({ currency: 'INR' }), '0');
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
    expect((await new Api(service.url, other.key).send(newPhone())).status).toBe(202);
    await limits.set(ofNumber(numberId + 1), '0');
    expect((await new Api(service.url, other.key).send(newPhone())).status).toBe(202);
    await limits.set(ofNumber(), '0');
    expect(await new Api(service.url, other.key).send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
  });

  it('that is lowered below what is spent refuses all that costs something, until it is raised', async () => {
    const id = await allow(5);
    expect((await service.api.send(newPhone())).status).toBe(202);
    await limits.set(tenantLimit(), cost.toFixed(6));
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
    const { spent: sum } = await stateOf(id);
    await limits.set(tenantLimit(), (Number(sum) + cost).toFixed(6));
    expect((await service.api.send(newPhone())).status).toBe(202);
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
  });

  it('gets back what is refunded, for the next message', async () => {
    const id = await allow(1);
    const later = {
      scheduled_at: new Date(service.clock.now().getTime() + DAY).toISOString(),
      timezone: 'UTC',
    };
    const sent = await service.api.send(newPhone(), later);
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
    await service.api.post(`/api/v1/messages/${sent.body.data['message_log_id']}/cancel`, {});
    expect(Number((await stateOf(id)).spent)).toBeCloseTo(Number((await stateOf(id)).amount) - cost, 6);
    const codes = (
      await Promise.all(
        Array.from({ length: 6 }, (_, i) => (i % 2 ? second.api : service.api).send(newPhone())),
      )
    ).map(codeOf);
    expect(count(codes, 'accepted')).toBe(1);
    expect(await sql('folded', 'SELECT 1 FROM spend_changes')).toEqual([]);
  });

  it('starts from what the ledger says, exactly, while messages are being accepted', async () => {
    let stopped = false;
    const sending = [service.api, second.api, service.api, second.api].map(async (api, i) => {
      while (!stopped) {
        if (i < 2) await api.send(newPhone());
        else await api.post(BATCH, { messages: bodies(15) });
      }
    });
    for (let round = 0; round < 8; round += 1) {
      const id = await limits.set(tenantLimit(), '1000000');
      await service.api.send(newPhone());
      await limits.set(ofKey(), '1000000');
      if (round < 7) await limits.remove(service.tenantId, id);
    }
    stopped = true;
    await Promise.all(sending);
    for (const { scope, spent: sum } of await limits.list(service.tenantId))
      expect(Number(sum)).toBeCloseTo(await booked(scope === 'api_key' ? keyId : null), 6);
  });

  it('waits, when it is set, for a message that is being accepted without it', async () => {
    const other = new Client({ connectionString: directUrlOf(service.config) });
    await other.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO idempotency_keys (tenant_id, key, body_hash, created_at) VALUES ($1, 'held', 'x', now())`,
      [service.tenantId],
    );
    const sent = service.api.post('/api/v1/messages/send', sendBody(newPhone()), {
      'Idempotency-Key': 'held',
    });
    await eventually(async () =>
      expect(await sql('waits', 'SELECT 1 FROM pg_locks WHERE NOT granted')).not.toEqual([]),
    );
    const set = limits.set(tenantLimit(), '1000000');
    await eventually(async () =>
      expect(await limits.list(service.tenantId)).toMatchObject([{ is_in_force: false }]),
    );
    await other.query('ROLLBACK');
    await other.end();
    expect((await sent).status).toBe(202);
    expect(Number((await stateOf(await set)).spent)).toBeCloseTo(await booked(), 6);
  });

  it('counts what an older version has accepted, but for no key', async () => {
    const ids = (await Promise.all([1, 2, 3].map(() => service.api.send(newPhone())))).map(
      ({ body }) => body.data['message_log_id'],
    );
    await sql('older', 'UPDATE message_logs SET api_key_id = NULL WHERE id = ANY($1::bigint[])', [ids]);
    expect(await spent()).toBeCloseTo(await booked(), 6);
    expect(await spent(ofKey())).toBeCloseTo(await booked(keyId), 6);
    expect((await booked()) - (await booked(keyId))).toBeGreaterThan(2.5 * cost);
  });

  it('is told by validate, which counts nothing', async () => {
    const id = await allow(1);
    const validate = async () =>
      (await service.api.post('/api/v1/messages/validate', sendBody(newPhone()))).body.data;
    for (let i = 0; i < 3; i += 1) expect(await validate()).toMatchObject({ valid: true, errors: [] });
    await service.api.send(newPhone());
    const { valid, errors } = await validate();
    expect([valid, errors]).toEqual([
      false,
      [
        expect.objectContaining({
          code: 'SPEND_LIMIT_REACHED',
          details: [expect.objectContaining({ period: 'day' })],
        }),
      ],
    ]);
    expect(await stateOf(id)).toMatchObject({ is_reached: false });
  });

  it('has many changes worked in, as a canceled campaign leaves, while messages are being accepted', async () => {
    const id = await limits.set(tenantLimit({ period: 'month' }), '1000000');
    const before = Number((await stateOf(id)).spent);
    await sql(
      'many_changes',
      `INSERT INTO spend_changes (spend_limit_id, message_log_id, period_start, amount)
        SELECT l.id, 1, l.period_start - (n % 3) * interval '1 day', -0.001 FROM spend_limits l, generate_series(1, 12000) n
        WHERE l.id = $1`,
      [id],
    );
    // What is of no day of this month is of the month before, or of none.
    const changed = Number((await stateOf(id)).spent);
    expect(changed).toBeCloseTo(before - 4, 6);
    const changes = service.app.get(SpendChangesService, { strict: false });
    const sends = Array.from({ length: 40 }, (_, i) => [service.api, second.api][i % 2]!.send(newPhone()));
    const [answers] = await Promise.all([Promise.all(sends), changes.workIn(), changes.workIn()]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(Number((await stateOf(id)).spent)).toBeCloseTo(changed + 40 * cost, 6);
    expect(await sql('changes', 'SELECT 1 FROM spend_changes')).toEqual([]);
  });

  it('begins anew on the next day; a refund of yesterday is none of today, but of the month', async () => {
    // Tomorrow is to be of the same month.
    while (new Date(service.clock.now().getTime() + DAY).getUTCDate() === 1) service.clock.forward(DAY);
    const day = await allow(2);
    const later = {
      scheduled_at: new Date(service.clock.now().getTime() + 3 * DAY).toISOString(),
      timezone: 'UTC',
    };
    const sent = await service.api.send(newPhone(), later);
    const id = sent.body.data['message_log_id'] as number;
    await limits.set(tenantLimit(), cost.toFixed(6));
    service.clock.forward(DAY);
    expect((await service.api.send(newPhone())).status).toBe(202);
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
    const month = await limits.set(tenantLimit({ period: 'month' }), '1000000');
    const before = Number((await stateOf(month)).spent);
    await service.api.post(`/api/v1/messages/${id}/cancel`, {});
    expect(await service.api.send(newPhone())).toBeError(422, 'SPEND_LIMIT_REACHED');
    expect(Number((await stateOf(day)).spent)).toBeCloseTo(cost, 6);
    expect(Number((await stateOf(month)).spent)).toBeCloseTo(before - cost, 6);
  });

  it('that is set when a day ends counts what is accepted on the next one before it holds', async () => {
    const run = service.database.run.bind(service.database);
    const look = jest.spyOn(service.database, 'run').mockImplementation(async (statement, values) => {
      const rows = await run<any>(statement, values);
      if (
        statement === SPENT_BEFORE &&
        look.mock.calls.filter(([each]) => each === SPENT_BEFORE).length === 1
      ) {
        service.clock.forward(DAY);
        await service.api.send(newPhone());
      }
      return rows;
    });
    const id = await limits.set(tenantLimit(), '1000000');
    look.mockRestore();
    expect(Number((await stateOf(id)).spent)).toBeCloseTo(cost, 6);
  });

  it('leaves nothing behind when it is removed, and the ledger fits all that was sent', async () => {
    expect(await sql('changes', 'SELECT 1 FROM spend_changes')).toEqual([]);
    expect(await sql('unbalanced', UNBALANCED)).toEqual([]);
  });
});
