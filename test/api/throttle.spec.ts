import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, sendBody } from '../support/api.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, type TestTenant } from '../support/tenants.js';

const LIMIT = 5;
const FAILURES = 3;
const LIST = '/api/v1/messages';

let service: TestService;
let other: TestTenant;
beforeAll(async () => {
  service = await startTestService({ THROTTLE_LIMIT: LIMIT, THROTTLE_FAILURES: FAILURES });
  other = await addTenant(service);
});
afterAll(() => service.stop());

/** The answer has to name whole seconds, a minute at most. */
function expectRetryAfter(answer: { headers: Headers }): void {
  const seconds = Number(answer.headers.get('Retry-After'));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
}

describe('Too many requests', () => {
  it('of one key are answered by 429 on every route, while another key still passes', async () => {
    for (let i = 0; i < LIMIT; i += 1) expect((await service.api.get(LIST)).status).toBe(200);
    for (const answer of [
      await service.api.get(LIST),
      await service.api.send('+12025550100'),
      await service.api.get('/api/v1/nothing'),
      await service.api.get(LIST, { 'X-TENANT-ID': other.id }),
    ]) {
      expect(answer).toBeError(429, 'RATE_LIMITED', []);
      expectRetryAfter(answer);
    }
    expect((await other.api.get(LIST)).status).toBe(200);
    expect(service.sandbox.messages()).toEqual([]);
  });

  it('are counted once each, also those that are refused for the tenant they name', async () => {
    const { api } = await addTenant(service);
    const elsewhere = { 'X-TENANT-ID': other.id };
    expect(await api.send('+12025550100', {}, elsewhere)).toBeError(403, 'TENANT_FORBIDDEN');
    for (let i = 1; i < LIMIT; i += 1) expect((await api.get(LIST)).status).toBe(200);
    expect(await api.get(LIST)).toBeError(429, 'RATE_LIMITED');
  });

  it('are counted as many as the messages of a batch, which itself passes', async () => {
    const { api, accounts } = await addTenant(service);
    const message = { ...sendBody('+12025550100'), messaging_account_id: accounts[0] };
    const batch = { messages: Array.from({ length: LIMIT - 1 }, () => message) };
    const answer = await api.post('/api/v1/messages/batch', batch);
    expect(answer.body.data).toMatchObject({ accepted: 0, refused: LIMIT - 1 }); // it has no templates
    expect((await api.post('/api/v1/messages/batch', batch)).status).toBe(200);
    expect(await api.get(LIST)).toBeError(429, 'RATE_LIMITED');
  });

  it('without a valid key are answered by 429, while a valid key still passes', async () => {
    const stranger = new Api(service.url, `tms_${'x'.repeat(40)}`);
    for (let i = 0; i < FAILURES; i += 1) expect(await stranger.get(LIST)).toBeError(401, 'UNAUTHORIZED');
    for (const answer of [await stranger.get(LIST), await new Api(service.url, null).get(LIST)]) {
      expect(answer).toBeError(429, 'RATE_LIMITED', []);
      expectRetryAfter(answer);
      expect(answer.headers.get('WWW-Authenticate')).toBeNull();
    }
    expect((await other.api.get(LIST)).status).toBe(200);
  });

  it('are counted together, whatever address the caller claims', async () => {
    const stranger = new Api(service.url, null, { 'X-Forwarded-For': '203.0.113.7' });
    expect(await stranger.get(LIST)).toBeError(429, 'RATE_LIMITED');
  });
});
