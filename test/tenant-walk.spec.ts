import { beforeAll, describe, expect, it } from '@jest/globals';
import { DASHBOARD_ROLES } from '../src/accounts/dashboard-user.entity.js';
import { LIVE } from '../src/dashboard/live/live.interceptor.js';
import type { Answer, Api } from './support/api.js';
import { dashboardApi } from './support/dashboard-api.js';
import { markedBy, pathOf, type Route, routesOf } from './support/routes.js';
import { type Ask, type Asked, TENANT_CASES } from './support/tenant-cases.js';
import { rowsOfTenant } from './support/tenant-rows.js';
import { useTestService } from './support/test-service.js';
import { type Furnished, furnish, type Ids, NOBODYS } from './support/two-tenants.js';

/** There is no worker, so that nothing changes by itself. */
const service = useTestService({ ROLE: 'api' });

let own: Furnished;
let other: Furnished;
let routes: Route[];
beforeAll(async () => {
  own = await furnish(service(), 'okapi', '330330');
  other = await furnish(service(), 'zebra', '440440');
  routes = [...routesOf(service(), '/api/'), ...routesOf(service(), '/dashboard/api')].toSorted(
    (one, another) => orderOf(one) - orderOf(another),
  );
});

/** Routes that delete something come last, and those that end the session after all others. */
function orderOf({ name, method }: Route): number {
  if (name.startsWith('DELETE /dashboard/api/session')) return 9;
  if (method === 'DELETE') return 8;
  return ['GET', 'PUT', 'PATCH', 'POST'].indexOf(method);
}

const caseOf = ({ name }: Route) => TENANT_CASES[name]!;

/** @param ids for the path, unless the request has others */
function call(api: Api, route: Route, asked: Asked, ids: Ids, headers = {}): Promise<Answer> {
  const { path, query, body, file } = asked;
  const values = { ...ids, ...path } as Record<string, string | number>;
  const search = new URLSearchParams(query as Record<string, string> | undefined);
  const hasBody = route.method !== 'GET';
  return api.request(
    route.method,
    `${pathOf(route, (name) => encodeURIComponent(values[name] ?? name))}?${search}`,
    hasBody ? (file ?? JSON.stringify(body ?? {})) : undefined,
    {
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...asked.headers,
      'X-Request-Id': 'the-same-for-all',
      ...headers,
    },
  );
}

/** An answer without the ids of its request, and without the parts that differ between any two answers. */
function seen({ status, text }: Answer, ids: Ids) {
  let rest = text;
  for (const [name, id] of Object.entries(ids))
    rest = typeof id === 'string' ? rest.replaceAll(id, `<${name}>`) : rest;
  rest = rest
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"message_log_id":\d+/g, '"message_log_id":"<new>"');
  return { status, text: rest };
}

/** The answer must not contain the other tenant's name, which is part of all its names, nor its ids. */
function expectNothingOfOther(route: Route, answer: Answer, asked: Asked = {}): void {
  const said = JSON.stringify([asked.query, asked.path, asked.body, asked.headers]);
  let { text } = answer;
  for (const id of Object.values(other.ids))
    if (typeof id === 'string' && said.includes(id)) text = text.replaceAll(id, '');
  const marks = ['zebra', ...Object.values(other.ids).filter((id) => typeof id === 'string')];
  const found = marks.filter((mark) => text.toLowerCase().includes(mark.toLowerCase()));
  expect([route.name, found]).toEqual([route.name, []]);
}

/** Asks for the other tenant's things and for things of nobody: the answers have to be the same. */
async function expectSame(api: Api, route: Route, { request, status }: Ask, headers = {}): Promise<void> {
  const theirs = request(other.ids, own.ids);
  const answer = await call(api, route, theirs, other.ids, headers);
  const nobodys = await call(api, route, request(NOBODYS, own.ids), NOBODYS, headers);
  expect([route.name, seen(answer, other.ids)]).toEqual([route.name, seen(nobodys, NOBODYS)]);
  expect([route.name, answer.status, answer.text]).toEqual([route.name, status, expect.any(String)]);
  expectNothingOfOther(route, answer, { ...theirs, path: { ...other.ids, ...theirs.path } });
}

/** Does the work, and expects that the other tenant has exactly what it had before. */
async function leavingOtherAlone(work: () => Promise<void>): Promise<void> {
  const before = await rowsOfTenant(service(), other.ids.tenant_id);
  await work();
  expect(await rowsOfTenant(service(), other.ids.tenant_id)).toEqual(before);
}

const isOfApi = ({ path }: Route) => path.startsWith('/api/');

describe('The walk over the things of another tenant', () => {
  it('knows every route of the service', () => {
    expect(routes.map(({ name }) => name).toSorted()).toEqual(Object.keys(TENANT_CASES).toSorted());
  });

  it('has a request for every route, with another tenant’s ids for every route with ids', () => {
    const idle = routes.filter((route) => route.path.includes(':') && caseOf(route).asks.length === 0);
    expect(idle).toEqual([]);
    const nothing = routes.filter((route) => caseOf(route).asks.length === 0 && !caseOf(route).plain);
    expect(nothing).toEqual([]);
  });

  it('has a tenant with at least one thing of each kind', async () => {
    const rows = await rowsOfTenant(service(), other.ids.tenant_id);
    const empty = Object.keys(rows).filter((table) => rows[table]?.rows === 0);
    // What a worker makes: notices, counts, retries, and messages of campaigns.
    expect(empty).toEqual([
      'alert_notices',
      'campaign_messages',
      'late_sends',
      'message_retries',
      'message_stats',
      'number_activity',
    ]);
  });
});

describe('Another tenant’s things, in the public API', () => {
  it('are answered like things that do not exist, and stay as they are', async () => {
    await leavingOtherAlone(async () => {
      for (const route of routes.filter(isOfApi)) {
        const { asks, plain } = caseOf(route);
        for (const ask of asks) await expectSame(own.program, route, ask);
        if (plain) expectNothingOfOther(route, await call(own.program, route, plain, own.ids));
      }
    });
  });

  it('cannot be reached by naming the tenant', async () => {
    for (const route of routes.filter(isOfApi)) {
      const tenants = [other.ids, NOBODYS].map(({ tenant_id }) => ({ 'X-TENANT-ID': tenant_id }));
      for (const { request } of [...caseOf(route).asks, { request: () => caseOf(route).plain ?? {} }]) {
        const [answer, nobodys] = await Promise.all(
          tenants.map((headers) =>
            call(own.program, route, request(other.ids, other.ids), other.ids, headers),
          ),
        );
        expect([route.name, answer?.status, answer?.text]).toEqual([route.name, 403, nobodys?.text]);
        expectNothingOfOther(route, answer as Answer);
      }
    }
  });
});

describe.each(DASHBOARD_ROLES)('Another tenant’s things, for a %s in the dashboard', (role) => {
  const may = (route: Route) => {
    const { for: required } = caseOf(route);
    if (required === 'operator' || required === 'key') return false;
    return required === 'anybody' || DASHBOARD_ROLES.indexOf(role) >= DASHBOARD_ROLES.indexOf(required);
  };

  it('are answered like things that do not exist, and stay as they are', async () => {
    const api = await dashboardApi(service(), role, { tenantId: own.ids.tenant_id });
    await leavingOtherAlone(async () => {
      for (const route of routes.filter((one) => !isOfApi(one) && may(one))) {
        const { asks, plain } = caseOf(route);
        for (const ask of asks) {
          await expectSame(api, route, ask);
          if (route.method === 'GET' && ask.status === 404)
            await expectSame(api, route, ask, { Accept: 'text/event-stream' });
        }
        // The last routes end the session, so each gets a session of its own.
        const caller = orderOf(route) === 9 ? await anotherSession(api) : api;
        if (plain) expectNothingOfOther(route, await call(caller, route, plain, own.ids));
      }
    });
  });

  it('are forbidden like the tenant’s own, when the role may not do it', async () => {
    const api = await dashboardApi(service(), role, { tenantId: own.ids.tenant_id });
    await leavingOtherAlone(async () => {
      const before = await rowsOfTenant(service(), own.ids.tenant_id);
      for (const route of routes.filter((one) => !isOfApi(one) && !may(one))) {
        const { asks, plain } = caseOf(route);
        for (const { request } of [...asks, { request: () => plain ?? {} }]) {
          const whose = [own.ids, other.ids, NOBODYS];
          const texts = new Set<string>();
          for (const ids of whose) {
            const answer = await call(api, route, request(ids, own.ids), ids);
            expect([route.name, answer.status, answer.body.error.code]).toEqual([
              route.name,
              403,
              'FORBIDDEN',
            ]);
            texts.add(answer.text);
          }
          expect([route.name, texts.size]).toEqual([route.name, 1]);
        }
      }
      expect(await rowsOfTenant(service(), own.ids.tenant_id)).toEqual(before);
    });
  });
});

describe('A live view', () => {
  it('is the same for all users of a tenant with the same role, as it is read once for all of them', async () => {
    const live = markedBy(service(), LIVE);
    const followed = routes.filter(({ name }) => live.has(name));
    expect(followed.length).toBeGreaterThan(7);
    for (const role of DASHBOARD_ROLES) {
      const users = [1, 2].map(() => dashboardApi(service(), role, { tenantId: own.ids.tenant_id }));
      const [one, another] = await Promise.all(users);
      for (const route of followed) {
        const answer = await call(one as Api, route, {}, own.ids);
        expect([route.name, answer.status]).toEqual([route.name, 200]);
        const { text } = await call(another as Api, route, {}, own.ids);
        expect([route.name, text]).toEqual([route.name, answer.text]);
      }
    }
  });
});

/** A session of another user of the same kind, which the test may end. */
async function anotherSession(api: Api): Promise<Api> {
  const { user } = (await api.get('/dashboard/api/session')).body.data;
  return dashboardApi(service(), user.role, { tenantId: user.tenant.tenant_id });
}

/** Shows that the requests of the walk can find things: with the tenant's own ids, their answers are others. */
describe('The same requests for the tenant’s own things', () => {
  it('find them', async () => {
    const lost: unknown[] = [];
    for (const route of routes) {
      const { asks, for: required } = caseOf(route);
      if (required === 'operator' || required === 'anybody') continue;
      for (const { request, worksOnce = true } of asks) {
        if (!worksOnce) continue;
        const answer = await call(
          isOfApi(route) ? own.program : own.owner,
          route,
          request(own.ids, own.ids),
          own.ids,
        );
        if (answer.status === 404 || answer.status === 403 || answer.status >= 500)
          lost.push([route.name, request(own.ids, own.ids), answer.status, answer.text]);
      }
    }
    expect(lost).toEqual([]);
  });
});
