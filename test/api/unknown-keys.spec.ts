import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { FindOperator, Repository } from 'typeorm';
import { ApiKey } from '../../src/accounts/api-key.entity.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { randomBase62 } from '../../src/common/random.js';
import { SharedCaches } from '../../src/database/shared-cache.js';
import { Api } from '../support/api.js';
import '../support/matchers.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';

const FAILURES = 3;
const LIST = '/api/v1/messages';

const service = useTestService({ THROTTLE_FAILURES: FAILURES, TRUSTED_PROXIES: 1 });
afterEach(() => void jest.restoreAllMocks());

const randomKey = () => `tms_${randomBase62(40)}`;

let addresses = 0;
/** Takes an address from which nothing has come so far. @returns a caller behind it */
function newAddress(): (key: string) => Api {
  const headers = { 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` };
  return (key) => new Api(service().url, key, headers);
}

/** Counts, from now on, for how many keys PostgreSQL is asked. */
function countLookUps(): () => number {
  const keys = service().app.get<Repository<ApiKey>>(getRepositoryToken(ApiKey), { strict: false });
  const spy = jest.spyOn(keys, 'findBy');
  const asked = (where: { keyHash?: unknown }) => (where.keyHash as FindOperator<string[]>).value;
  return () => spy.mock.calls.flatMap(([where]) => asked(where as { keyHash?: unknown })).length;
}

/** Fails as often as one address may fail. */
async function useUp(caller: (key: string) => Api): Promise<void> {
  for (let i = 0; i < FAILURES; i += 1) expect((await caller(randomKey()).get(LIST)).status).toBe(401);
}

describe('An unknown key', () => {
  it.each([
    ['to send', (api: Api) => api.send('+12025550100')],
    ['to list templates', (api: Api) => api.get('/api/v1/templates?messaging_account_id=acc_x')],
    ['to list messages', (api: Api) => api.get(LIST)],
  ])('is looked up once and counted once in a request %s', async (_what, call) => {
    const caller = newAddress();
    const lookUps = countLookUps();
    for (let i = 1; i <= FAILURES; i += 1) {
      expect(await call(caller(randomKey()))).toBeError(401, 'UNAUTHORIZED');
      expect(lookUps()).toBe(i);
    }
    expect(await call(caller(randomKey()))).toBeError(429, 'RATE_LIMITED');
  });

  it('is not looked up from an address that has failed too often', async () => {
    const caller = newAddress();
    await useUp(caller);
    const lookUps = countLookUps();
    for (const answer of [
      await caller(randomKey()).get(LIST),
      await caller(randomKey()).send('+12025550100'),
    ]) {
      expect(answer).toBeError(429, 'RATE_LIMITED', []);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect(lookUps()).toBe(0);
    expect(await newAddress()(randomKey()).get(LIST)).toBeError(401, 'UNAUTHORIZED');
  });

  it('is not looked up more often than that when many requests come together', async () => {
    const caller = newAddress();
    const lookUps = countLookUps();
    const answers = await Promise.all(Array.from({ length: 30 }, () => caller(randomKey()).get(LIST)));
    expect(lookUps()).toBeLessThanOrEqual(FAILURES);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([401, 429]));
  });

  it('is refused until it is created, and passes immediately after that', async () => {
    const key = randomKey();
    const caller = newAddress();
    expect(await caller(key).get(LIST)).toBeError(401, 'UNAUTHORIZED');
    const keys = service().app.get(ApiKeysService, { strict: false });
    await keys.store(key, service().tenantId, 'Made later');
    expect((await caller(key).get(LIST)).status).toBe(200);
  });
});

describe('A valid key behind an address that has failed too often', () => {
  it('passes when it was seen before, though it has to be looked up again', async () => {
    expect((await newAddress()(SECRETS.demoApiKey).get(LIST)).status).toBe(200);
    const caller = newAddress();
    await useUp(caller);
    await service().app.get(SharedCaches, { strict: false }).changed('api_keys');
    expect((await caller(SECRETS.demoApiKey).get(LIST)).status).toBe(200);
    expect((await caller(SECRETS.demoApiKey).send('+12025550100')).status).toBe(202);
  });

  it('has to wait when it was not seen before, as it looks like a guess', async () => {
    const keys = service().app.get(ApiKeysService, { strict: false });
    const { key } = await keys.create(service().tenantId, 'Not seen yet');
    const caller = newAddress();
    await useUp(caller);
    expect(await caller(key).get(LIST)).toBeError(429, 'RATE_LIMITED');
    expect((await newAddress()(key).get(LIST)).status).toBe(200);
    expect((await caller(key).get(LIST)).status).toBe(200);
  });

  it('passes in many requests that bring it together for the first time', async () => {
    const keys = service().app.get(ApiKeysService, { strict: false });
    const { key } = await keys.create(service().tenantId, 'Many at once');
    const caller = newAddress();
    // Sends, as not so many lists are read at the same time.
    const answers = await Promise.all(Array.from({ length: 30 }, () => caller(key).send('+12025550100')));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  });
});
