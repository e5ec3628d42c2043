import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { type Answer, Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startSecondService, startTestService, type TestService } from '../support/service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const TEMPLATES = '/api/v1/templates?messaging_account_id=';
const MESSAGES = '/api/v1/messages';
const PHONE = '+12025550101';
const NOBODY = { account: `acc_${'0'.repeat(20)}`, message: 999_999, tenant: randomUUID() };

let service: TestService;
let second: { api: Api; stop(): Promise<void> };
let keys: ApiKeysService;
let platform: Api;
let own: TestTenant;
let other: TestTenant;
/** A waiting message of each of the two tenants. */
let ownMessage: number;
let otherMessage: number;

const inAnHour = () => new Date(service.clock.now().getTime() + 3_600_000).toISOString();

function sendBody(account: string, name: string) {
  const schedule = { scheduled_at: inAnHour(), timezone: 'UTC' };
  return {
    messaging_account_id: account,
    phone: PHONE,
    message_type: 'template',
    data: { name },
    ...schedule,
  };
}

async function send({ api, accounts }: TestTenant, name: string): Promise<number> {
  const answer = await api.post(`${MESSAGES}/send`, sendBody(accounts[0] as string, name));
  return answer.body.data['message_log_id'] as number;
}

beforeAll(async () => {
  service = await startTestService();
  second = await startSecondService(service);
  keys = service.app.get(ApiKeysService, { strict: false });
  platform = new Api(service.url, (await keys.create(null, 'Platform')).key);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

describe('A platform key', () => {
  it('acts for the only tenant when there is one', async () => {
    expect((await platform.get(`${TEMPLATES}acc_DemoSalesNumber00001`)).status).toBe(200);
  });

  it('must name a tenant when there are several', async () => {
    own = await addTenant(service, { templates: [template('greeting', 'Hello!'), template('ours', 'Ours')] });
    other = await addTenant(service, {
      templates: [template('greeting', 'Hallo!'), template('theirs', 'Theirs')],
    });
    ownMessage = await send(own, 'ours');
    otherMessage = await send(other, 'theirs');
    expect(await platform.get(`${TEMPLATES}${own.accounts[0]}`)).toBeError(403, 'TENANT_FORBIDDEN', []);
    expect(await platform.get(MESSAGES, { 'X-TENANT-ID': '' })).toBeError(403, 'TENANT_FORBIDDEN', []);
  });

  it('acts for the tenant that it names, and for no other', async () => {
    for (const [tenant, message, foreign] of [
      [own, ownMessage, otherMessage],
      [other, otherMessage, ownMessage],
    ] as const) {
      const api = platform.with({ 'X-TENANT-ID': tenant.id });
      expect((await api.get(`${MESSAGES}/${message}`)).body.data).toMatchObject({ message_log_id: message });
      expect(await api.get(`${MESSAGES}/${foreign}`)).toBeError(404, 'MESSAGE_NOT_FOUND');
      const list = (await api.get(MESSAGES)).body.data as unknown as { message_log_id: number }[];
      expect(list.map((one) => one.message_log_id)).toEqual([message]);
    }
  });

  it.each(['demo', '0', '%', 'null', `${NOBODY.tenant}x`, NOBODY.tenant, `{${NOBODY.tenant}}`])(
    'may not act for %s',
    async (id) =>
      expect(await platform.get(MESSAGES, { 'X-TENANT-ID': id })).toBeError(403, 'TENANT_FORBIDDEN', []),
  );
});

describe("A tenant's key", () => {
  it('may name its own tenant, in capitals or not, or no tenant', async () => {
    for (const id of [own.id, own.id.toUpperCase(), '']) {
      const answer = await own.api.get(`${MESSAGES}/${ownMessage}`, { 'X-TENANT-ID': id });
      expect(answer.status).toBe(200);
    }
  });

  it('may not name another tenant, whether this one exists or not', async () => {
    const id = { 'X-Request-Id': 'same' };
    const answers = await Promise.all(
      [other.id, NOBODY.tenant, 'x', `${own.id}, ${other.id}`].map((tenant) =>
        own.api.get(MESSAGES, { 'X-TENANT-ID': tenant, ...id }),
      ),
    );
    for (const answer of answers) expect(answer).toBeError(403, 'TENANT_FORBIDDEN', []);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });
});

type Ask = (api: Api, thing: { account: string; message: number }) => Promise<Answer>;
const SAME = { 'X-Request-Id': 'the-same-for-both' };
const QUESTIONS: [string, number, Ask][] = [
  ['its templates', 404, (api, { account }) => api.get(`${TEMPLATES}${account}`, SAME)],
  ['its paused templates', 404, (api, { account }) => api.get(`${TEMPLATES}${account}&status=PAUSED`, SAME)],
  [
    'a send from it',
    404,
    (api, { account }) => api.post(`${MESSAGES}/send`, sendBody(account, 'greeting'), SAME),
  ],
  ['its messages', 404, (api, { account }) => api.get(`${MESSAGES}?messaging_account_id=${account}`, SAME)],
  ['a message', 404, (api, { message }) => api.get(`${MESSAGES}/${message}`, SAME)],
  ['a cancellation', 404, (api, { message }) => api.post(`${MESSAGES}/${message}/cancel`, undefined, SAME)],
];

const names = async ({ api, accounts }: TestTenant) =>
  ((await api.get(`${TEMPLATES}${accounts[0]}`)).body.data as unknown as { name: string }[]).map(
    (one) => one.name,
  );

describe('A resource of another tenant', () => {
  it.each(QUESTIONS)('is answered like one that does not exist: %s', async (_case, status, ask) => {
    const foreign = { account: other.accounts[0] as string, message: otherMessage };
    // Once before and once after the caches know of it.
    const answers = [await ask(own.api, foreign), await ask(own.api, NOBODY), await ask(own.api, foreign)];
    const [first, ...rest] = answers.map(({ text, headers, ...answer }) => ({
      text,
      status: answer.status,
      headers: [...headers].filter(([name]) => name !== 'date'),
    }));
    expect(first?.status).toBe(status);
    for (const answer of rest) expect(answer).toEqual(first);
  });

  it('is not changed by these requests', async () => {
    expect(await other.api.message(otherMessage)).toMatchObject({ status: 'scheduled', canceled_at: null });
  });

  it('is not sent when it is a template, named in a send', async () => {
    const answers = await Promise.all(
      ['theirs', 'nobody'].map((name) =>
        own.api.post(`${MESSAGES}/send`, sendBody(own.accounts[0] as string, name), SAME),
      ),
    );
    expect(answers[0]).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(answers[0]?.text.replaceAll('theirs', 'nobody')).toBe(answers[1]?.text);
  });

  it.each([
    '',
    '?template=greeting',
    '?template=theirs',
    `?phone=${encodeURIComponent(PHONE)}`,
    '?status=scheduled',
    '?limit=100',
  ])('is not in the list of messages: %s', async (query) => {
    const list = (await own.api.get(`${MESSAGES}${query}`)).body.data as unknown as {
      message_log_id: number;
    }[];
    expect(list.map((one) => one.message_log_id)).not.toContain(otherMessage);
  });

  it('is not in a list that begins at its cursor', async () => {
    await send(other, 'greeting');
    const { next_cursor: cursor } = (await other.api.get(`${MESSAGES}?limit=1`)).body;
    expect(cursor).toEqual(expect.any(String));
    const list = (await own.api.get(`${MESSAGES}?cursor=${cursor}`)).body.data as unknown as object[];
    expect(list).toEqual([expect.objectContaining({ message_log_id: ownMessage })]);
  });

  it('is listed only under its own account', async () => {
    expect(await names(own)).toEqual(['greeting', 'ours']);
    expect(await names(other)).toEqual(['greeting', 'theirs']);
  });
});

const on = (key: string) => [new Api(service.url, key), new Api(second.api.url, key)];

describe('A key that has ended', () => {
  it('by revocation is refused on every process within 5 seconds', async () => {
    const { id, key } = await keys.create(own.id, 'Short');
    for (const api of on(key)) expect((await api.get(MESSAGES)).status).toBe(200);
    expect(await keys.revoke(id)).toBe(true);
    const refused = async () => {
      for (const api of on(key)) expect(await api.get(MESSAGES)).toBeError(401, 'UNAUTHORIZED', []);
    };
    await eventually(refused, { patience: 5_000 });
    await refused();
  });

  it('by revocation is refused although no process was notified', async () => {
    const { id, key } = await keys.create(own.id, 'Silent');
    const [api] = on(key) as [Api];
    expect((await api.get(MESSAGES)).status).toBe(200);
    await service.database.run(
      { name: 'revoke', text: 'UPDATE api_keys SET revoked_at = now() WHERE id = $1' },
      [id],
    );
    await eventually(async () => expect(await api.get(MESSAGES)).toBeError(401, 'UNAUTHORIZED'), {
      patience: 5_000,
    });
  });

  it('by its date is refused at once', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 60_000);
    const { key } = await keys.create(own.id, 'Dated', { expiresAt });
    for (const api of on(key)) expect((await api.get(MESSAGES)).status).toBe(200);
    service.clock.forward(60_000);
    for (const api of on(key)) expect(await api.get(MESSAGES)).toBeError(401, 'UNAUTHORIZED', []);
  });

  it('is refused with the same words as an unknown key', async () => {
    const { id, key } = await keys.create(own.id, 'Gone');
    await keys.revoke(id);
    const answers = await Promise.all(
      [key, `tms_${'0'.repeat(40)}`].map((one) => new Api(service.url, one).get(MESSAGES, SAME)),
    );
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });
});
