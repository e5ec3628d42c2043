import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import './support/matchers.js';
import { SECRETS, startTestService, type TestService } from './support/service.js';
import { sign } from './support/webhooks.js';

const FAILURES = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ THROTTLE_FAILURES: FAILURES, TRUSTED_PROXIES: 1 });
});
afterAll(() => service.stop());

const payload = (id: string) =>
  JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id, changes: [] }] });
const GENUINE = payload(DEMO.wabaId);
const right = (text: string) => sign(text, SECRETS.sandboxAppSecret);
const wrong = (text: string) => sign(text, 'another secret');

/** Two spellings of the address. */
const WAYS: [string, string][] = [
  ['without a slash behind', '/webhooks/provider'],
  ['with a slash behind', '/webhooks/provider/'],
];

let callers = 0;
/** A new address from which nothing has come, as the proxy in front reports it. */
const anyAddress = () => `203.0.113.${(callers += 1)}`;

const post = (path: string, address: string, text: string, signature?: string) =>
  service.api.request('POST', path, text, {
    'X-Forwarded-For': address,
    ...(signature && { 'X-Hub-Signature-256': signature }),
  });

const challenge = (path: string, address: string, token: string) =>
  service.api.request(
    'GET',
    `${path}?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(token)}&hub.challenge=115820`,
    undefined,
    { 'X-Forwarded-For': address },
  );

const counted = async (check: string) => {
  const { text } = await service.api.get('/metrics');
  return Number(new RegExp(`tms_webhook_failures_total\\{check="${check}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

function expectTooMany(answer: { headers: Headers }): void {
  expect(answer).toBeError(429, 'RATE_LIMITED', []);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
}

describe.each(WAYS)('Webhooks that come %s', (_way, path) => {
  it.each<[string, string, string | undefined]>([
    ['with a signature of another secret', GENUINE, wrong(GENUINE)],
    ['without a signature', GENUINE, undefined],
    ['with a malformed signature', GENUINE, 'sha256=zz'],
    ['for an unknown account', payload('404404404404404'), right(payload('404404404404404'))],
    ['as a test without a right signature', payload('0'), wrong(payload('0'))],
    ['as something that is not JSON', '{"entry":', wrong('{"entry":')],
  ])('%s get a 401, and after too many a 429', async (_what, text, signature) => {
    const [address, before] = [anyAddress(), await counted('signature')];
    for (let i = 0; i < FAILURES; i += 1)
      expect(await post(path, address, text, signature)).toBeError(401, 'UNAUTHORIZED');
    expectTooMany(await post(path, address, text, signature));
    expect((await counted('signature')) - before).toBe(FAILURES + 1);
    expect(await post(path, anyAddress(), text, signature)).toBeError(401, 'UNAUTHORIZED');
  });

  it('with a right signature are accepted, although others at their address fail', async () => {
    const address = anyAddress();
    for (let i = 0; i < 2 * FAILURES; i += 1) await post(path, address, GENUINE, wrong(GENUINE));
    for (const text of [GENUINE, payload('0')])
      expect((await post(path, address, text, right(text))).status).toBe(200);
    expectTooMany(await post(path, address, GENUINE, wrong(GENUINE)));
  });

  it('may register their URL with the right token, although others at their address fail', async () => {
    const [address, before] = [anyAddress(), await counted('verify_token')];
    for (let i = 0; i < FAILURES; i += 1)
      expect(await challenge(path, address, 'a guess')).toBeError(403, 'FORBIDDEN');
    expectTooMany(await challenge(path, address, 'another guess'));
    expect((await counted('verify_token')) - before).toBe(FAILURES + 1);
    expect(await challenge(path, address, SECRETS.webhookVerifyToken)).toMatchObject({
      status: 200,
      text: '115820',
    });
  });
});

describe('Failed webhooks', () => {
  it('do not stop the lookup of an API key from the same address', async () => {
    const address = anyAddress();
    for (let i = 0; i < 2 * FAILURES; i += 1)
      await post('/webhooks/provider', address, GENUINE, wrong(GENUINE));
    const answer = await service.api.get('/api/v1/messages', { 'X-Forwarded-For': address });
    expect(answer.status).toBe(200);
  });

  it('as tests are not compared with many secrets after their address has failed too often', async () => {
    const accounts = service.app.get(AccountsService, { strict: false });
    for (let n = 0; n < 150; n += 1)
      await accounts.addBusinessAccount({
        tenantId: service.tenantId,
        wabaId: String(900_000_000_000 + n),
        appId: null,
        accessToken: 'token',
        appSecret: `secret ${n}`,
      });
    const [address, test] = [anyAddress(), payload('0')];
    const last = sign(test, 'secret 149');
    expect((await post('/webhooks/provider', address, test, last)).status).toBe(200);
    for (let i = 0; i < FAILURES; i += 1) await post('/webhooks/provider', address, test, wrong(test));
    expectTooMany(await post('/webhooks/provider', address, test, last));
    const delivery = payload('900000000149');
    expect((await post('/webhooks/provider', address, delivery, sign(delivery, 'secret 149'))).status).toBe(
      200,
    );
  });
});
