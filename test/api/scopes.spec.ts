import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { type Scope, SCOPES } from '../../src/accounts/domain/scopes.js';
import { operationScopes } from '../../src/app/operation-scopes.js';
import { Api } from '../support/api.js';
import '../support/matchers.js';
import { pathOf, type Route, routesOf } from '../support/routes.js';
import { useTestService } from '../support/test-service.js';

const service = useTestService();
let keys: ApiKeysService;
let needed: Map<string, Scope>;
let routes: Route[];
beforeAll(() => {
  keys = service().app.get(ApiKeysService, { strict: false });
  needed = operationScopes(service().app.get(ModulesContainer));
  routes = routesOf(service(), '/api/');
});

const callerWith = async (scopes: Scope[]) =>
  new Api(service().url, (await keys.create(service().tenantId, 'Some', { scopes })).key);

const call = (api: Api, route: Route) =>
  api.request(
    route.method,
    pathOf(route, () => 1),
  );

describe('Every operation', () => {
  it('has its scope', () => {
    expect([...needed.keys()].toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  });

  it('is refused to a key that has all other scopes, and the answer names the one', async () => {
    for (const route of routes) {
      const scope = needed.get(route.name) as Scope;
      const api = await callerWith(SCOPES.filter((other) => other !== scope));
      const answer = await call(api, route);
      expect(answer).toBeError(403, 'SCOPE_MISSING', [{ scope }]);
      expect(answer.body.error.message).toContain(scope);
    }
  });

  it('is open to a key that has its scope alone', async () => {
    for (const route of routes) {
      const answer = await call(await callerWith([needed.get(route.name) as Scope]), route);
      expect([401, 403, 500]).not.toContain(answer.status);
    }
  });

  it('that a HEAD asks for needs its scope too', async () => {
    const api = await callerWith(['messages:send']);
    const headers = { Authorization: `Bearer ${api.key}` };
    const answer = await fetch(`${service().url}/api/v1/messages`, { method: 'HEAD', headers });
    expect(answer.status).toBe(403);
  });
});

describe('A key', () => {
  it('that was stored before there were scopes has all of them', async () => {
    const { id, key } = await keys.create(service().tenantId, 'Old', { scopes: ['events:read'] });
    await service().database.run(
      { name: 'old_key', text: 'UPDATE api_keys SET scopes = DEFAULT WHERE id = $1' },
      [id],
    );
    for (const route of routes)
      expect([401, 403, 500]).not.toContain((await call(new Api(service().url, key), route)).status);
  });

  it('learns nothing of what is there before its scope is looked at', async () => {
    const api = await callerWith(['messages:read']);
    expect(await api.send('+12025550100', { messaging_account_id: 'acc_x' })).toBeError(403, 'SCOPE_MISSING');
    expect(await api.get('/api/v1/nothing')).toBeError(404, 'NOT_FOUND');
  });
});

describe('An operation without a scope', () => {
  it('keeps the service from starting', async () => {
    @Controller('api/v1/things')
    class ThingsController {
      @Get(':id')
      find() {
        return {};
      }
    }
    @Module({ controllers: [ThingsController] })
    class ThingsModule {}
    const app = await NestFactory.createApplicationContext(ThingsModule, { logger: false });
    expect(() => operationScopes(app.get(ModulesContainer))).toThrow('GET /api/v1/things/:id needs a scope');
    await app.close();
  });
});
