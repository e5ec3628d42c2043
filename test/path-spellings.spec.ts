import { request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { Api, sendBody } from './support/api.js';
import { dashboardApi } from './support/dashboard-api.js';
import './support/matchers.js';
import { SECRETS } from './support/service.js';
import { draft, send, TEMPLATES } from './support/template-drafts.js';
import { useTestService } from './support/test-service.js';
import { sign } from './support/webhooks.js';

const service = useTestService();
let operator: Api;
beforeAll(async () => {
  operator = await dashboardApi(service(), 'owner', { operator: true });
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const NUL = '%00';

/** Sends the path as it is, where fetch would normalize it. */
function raw(method: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const call = request(service().url, { method, path, headers, agent: false }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
    });
    call.on('error', reject).end(body);
  });
}

/** Other spellings of paths for which checks depend on how the path begins. */
const SPELLINGS: [string, string][] = [
  ['/API/v1/messages', 'capitals'],
  ['/api/V1/messages', 'capitals'],
  ['/api/v1/Messages', 'capitals'],
  ['/Dashboard/api/messages', 'capitals'],
  ['/DASHBOARD/API/messages', 'capitals'],
  ['/dashboard/Api/messages', 'capitals'],
  ['/dashboard/api/Messages', 'capitals'],
  ['/%61pi/v1/messages', 'escapes'],
  ['/api%2fv1/messages', 'escapes'],
  ['/dashboard/%61pi/messages', 'escapes'],
  ['/%64ashboard/api/messages', 'escapes'],
  ['/dashboard%2fapi/messages', 'escapes'],
  ['//api/v1/messages', 'doubled slashes'],
  ['/api//v1/messages', 'doubled slashes'],
  ['//dashboard/api/messages', 'doubled slashes'],
  ['/dashboard//api/messages', 'doubled slashes'],
  ['/dashboard/api//messages', 'doubled slashes'],
  ['/x/../api/v1/messages', 'dots'],
  ['/dashboard/./api/messages', 'dots'],
  ['/dashboard/x/../api/messages', 'dots'],
  ['/api;x/v1/messages', 'parameters'],
  ['/dashboard/api;x/messages', 'parameters'],
];

describe('Another spelling of a path', () => {
  it.each(SPELLINGS)('leads to no data: %s (%s)', async (path) => {
    const headers = { ...operator.headers, Authorization: `Bearer ${service().api.key}` };
    const read = await raw('GET', `${path}?template=${NUL}`, headers);
    // Below /dashboard, every path outside the API is served as a view of the page.
    const isPage = read.status === 200 && read.type.startsWith('text/html');
    const isRefused = !isPage && read.status === 404 && JSON.parse(read.text).success === false;
    expect({ isPage, isRefused, ...read }).toMatchObject({ isRefused: !isPage });
    const body = JSON.stringify(sendBody('+12025550100'));
    const sent = await raw(
      'POST',
      `${path}/send`,
      { ...headers, ...JSON_TYPE, 'Idempotency-Key': 'a' },
      body,
    );
    expect([sent.status, JSON.parse(sent.text).success]).toEqual([404, false]);
    expect((await service().api.get('/api/v1/messages')).body.data).toEqual([]);
  });

  it('with a slash at its end is the same route, with the same checks', async () => {
    const stranger = new Api(service().url, null);
    expect((await service().api.get('/api/v1/messages/')).status).toBe(200);
    expect(await stranger.get('/api/v1/messages/')).toBeError(401, 'UNAUTHORIZED', []);
    expect(await service().api.get(`/api/v1/messages/?template=${NUL}`)).toBeError(400, 'VALIDATION_FAILED');
    expect((await operator.get('/dashboard/api/messages/')).status).toBe(200);
    expect(await stranger.get('/dashboard/api/messages/')).toBeError(401, 'UNAUTHORIZED', []);
    expect(await operator.get(`/dashboard/api/messages/?template=${NUL}`)).toBeError(
      400,
      'VALIDATION_FAILED',
    );
    const large = { ...draft(), body: 'x'.repeat(300_000) };
    const submit = await send(operator, 'POST', `${TEMPLATES}/`, { draft: large });
    expect(submit).toBeError(413, 'PAYLOAD_TOO_LARGE');
  });

  it.each(['/WEBHOOKS/provider', '/webhooks/Provider', '/webhooks//provider', '/%77ebhooks/provider'])(
    'accepts no webhook: %s',
    async (path) => {
      const body = JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [{ id: DEMO.wabaId, changes: [] }],
      });
      const headers = { ...JSON_TYPE, 'X-Hub-Signature-256': sign(body, SECRETS.sandboxAppSecret) };
      expect((await raw('POST', path, headers, body)).status).toBe(404);
      expect((await raw('POST', '/webhooks/provider/', headers, body)).status).toBe(200);
    },
  );

  it.each(['/Dashboard', '/DASHBOARD/messages', '/dashboard/api'])(
    'is no view of the page: %s',
    async (path) => expect(await new Api(service().url, null).get(path)).toBeRefusal(),
  );
});
