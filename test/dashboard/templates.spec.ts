import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { DEMO } from '../../src/embedded/demo.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template } from '../support/tenants.js';

const TEMPLATES = '/dashboard/api/templates';

const service = useTestService();
let page: Api;
beforeAll(async () => {
  page = await dashboardApi(service(), 'editor');
});

const list = async (query = '') =>
  (await page.get(`${TEMPLATES}?${query}`)).body.data as Record<string, any>[];
const idOf = async (name: string) =>
  (await list(`search=${name}&language=en_US`)).find((row) => row['name'] === name)?.['template_id'];
const find = async (id: number) => (await page.get(`${TEMPLATES}/${id}`)).body.data;

describe('the list', () => {
  it('shows all templates by name, with what the table needs', async () => {
    const rows = await list();
    const names = rows.map((row) => row['name']);
    expect(names).toEqual(names.toSorted());
    expect(rows.find((row) => row['name'] === 'order_update' && row['language'] === 'en_US')).toEqual({
      template_id: expect.any(Number),
      name: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      provider_status: 'APPROVED',
      status_reason: null,
      status_changed_at: expect.any(String),
      quality: null,
      header_type: null,
      body: expect.stringContaining('{{1}}'),
      business_account_id: expect.any(String),
      category_change: null,
    });
  });

  it.each([
    ['status=REJECTED', { status: 'REJECTED' }],
    ['category=AUTHENTICATION', { category: 'AUTHENTICATION' }],
    ['language=ar', { language: 'ar' }],
    ['search=ORDER_UP', { name: 'order_update' }],
  ])('can be filtered by %s', async (query, fields) => {
    const some = await list(query);
    expect(some).toEqual(some.map(() => expect.objectContaining(fields)));
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan((await list()).length);
  });

  it('searches for the exact characters, without wildcards', async () => {
    expect(await list('search=order%25update')).toEqual([]);
    expect((await list('search=_update')).length).toBeGreaterThan(0);
  });

  it('comes in pages', async () => {
    const names = (await list()).map((row) => `${row['name']} ${row['language']}`);
    const seen: string[] = [];
    let cursor: string | null | undefined = '';
    while (cursor !== null) {
      const { body } = await page.get(`${TEMPLATES}?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...(body.data as any).map((row: any) => `${row.name} ${row.language}`));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(names);
    expect(await page.get(`${TEMPLATES}?cursor=nonsense`)).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'cursor' },
    ]);
  });

  it('has nothing of another tenant', async () => {
    const other = await addTenant(service(), { templates: [template('theirs', 'Hello {{1}}!')] });
    const theirs = await dashboardApi(service(), 'owner', { tenantId: other.id });
    const [row] = (await theirs.get(TEMPLATES)).body.data as any;
    expect(row.name).toBe('theirs');
    expect(await list('search=theirs')).toEqual([]);
    expect(await list(`messaging_account_id=${other.accounts[0]}`)).toEqual([]);
    expect(await page.get(`${TEMPLATES}/${row.template_id}`)).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(await page.post(`${TEMPLATES}/sync`, { business_account_id: other.businessAccountId })).toBeError(
      404,
      'ACCOUNT_NOT_FOUND',
    );
  });
});

describe('a template', () => {
  it('has a history of its versions, statuses with reasons, and quality', async () => {
    const id = await idOf('order_update');
    service().sandbox.control.setTemplateStatus('order_update', 'PAUSED', { language: 'en_US' });
    await eventually(async () => expect(await find(id)).toMatchObject({ status: 'PAUSED' }));
    const { changes } = await find(id);
    expect(changes.at(-1)).toMatchObject({
      kind: 'created',
      new_value: 'APPROVED',
      components: expect.any(Array),
    });
    expect(changes[0]).toMatchObject({
      kind: 'status',
      old_value: 'APPROVED',
      new_value: 'PAUSED',
      reason: expect.any(String),
    });
  });

  it('lists its other languages', async () => {
    const other = await addTenant(service(), {
      templates: [template('hello', 'Hello {{1}}!'), template('hello', 'أهلا {{1}}!', { language: 'ar' })],
    });
    const theirs = await dashboardApi(service(), 'viewer', { tenantId: other.id });
    const rows = (await theirs.get(TEMPLATES)).body.data as any;
    const { data } = (await theirs.get(`${TEMPLATES}/${rows[0].template_id}`)).body;
    expect(data['translations']).toEqual([
      { template_id: rows[1].template_id, language: rows[1].language, status: 'APPROVED' },
    ]);
  });

  it.each(['0', 'abc', '99999999999999'])('answers 404 for the id %s', async (id) => {
    expect(await page.get(`${TEMPLATES}/${id}`)).toBeError(404, 'TEMPLATE_NOT_FOUND');
  });
});

describe('a sync', () => {
  const accountId = async () =>
    ((await page.get(`${TEMPLATES}/facets`)).body.data['business_accounts'][0] as any).business_account_id;

  it('brings new templates from the provider', async () => {
    service().sandbox.addTemplate(DEMO.wabaId, template('brand_new', 'Hello {{1}}, welcome!'));
    const { body } = await page.post(`${TEMPLATES}/sync`, { business_account_id: await accountId() });
    expect(body.data).toEqual({ created: 1, updated: expect.any(Number), removed: 0 });
    expect(await idOf('brand_new')).toEqual(expect.any(Number));
  });

  it('is for editors alone', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    expect(await viewer.post(`${TEMPLATES}/sync`, { business_account_id: await accountId() })).toBeError(
      403,
      'FORBIDDEN',
    );
  });

  it('shows what the provider said when it refuses', async () => {
    const tenant = await addTenant(service());
    service().sandbox.control.revokeToken(tenant.wabaId);
    const editor = await dashboardApi(service(), 'editor', { tenantId: tenant.id });
    const answer = await editor.post(`${TEMPLATES}/sync`, { business_account_id: tenant.businessAccountId });
    expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE');
    expect(answer.body.error.message).toContain('190');
  });
});
