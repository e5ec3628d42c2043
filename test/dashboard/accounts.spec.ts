import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addToSandbox, template } from '../support/tenants.js';

const NUMBERS = '/dashboard/api/numbers';

const service = useTestService();
let owner: Api;
let editor: Api;
beforeAll(async () => {
  owner = await dashboardApi(service(), 'owner');
  editor = await dashboardApi(service(), 'editor');
});

const patch = (api: Api, path: string, body: unknown) =>
  api.request('PATCH', `${NUMBERS}/${path}`, JSON.stringify(body), { 'Content-Type': 'application/json' });
const accounts = async () =>
  (await owner.get(NUMBERS)).body.data['business_accounts'] as Record<string, any>[];
const audited = async (action: string) =>
  (
    await service().database.run<{ details: any }>(
      { name: 'test_audited', text: 'SELECT details FROM audit_log WHERE action = $1 ORDER BY id DESC' },
      [action],
    )
  )[0]?.details;

/** Adds a business account to the sandbox alone. @returns the body with which the dashboard adds it */
function atProvider(wabaId: string) {
  const account = addToSandbox(service(), wabaId, [
    { phoneNumberId: `9${wabaId}`, displayPhoneNumber: '+1 415 555 0300', verifiedName: 'New shop' },
  ]);
  service().sandbox.addTemplate(wabaId, template('welcome', 'Hello!'));
  return {
    waba_id: wabaId,
    app_id: account.appId,
    access_token: account.accessToken,
    app_secret: account.appSecret,
  };
}

describe('a business account', () => {
  it('is added after a test, with its templates, and never shows its secrets', async () => {
    const body = atProvider('300000000000001');
    const added = await owner.post(`${NUMBERS}/business-accounts`, body);
    expect(added.status).toBe(201);
    expect(added.text).not.toContain(body.access_token);
    await eventually(async () => {
      const found = (await accounts()).find((one: any) => one.waba_id === body.waba_id);
      expect(found).toMatchObject({
        business_account_id: added.body.data['business_account_id'],
        templates: 1,
      });
    });
    expect(JSON.stringify(await audited('business_account.added'))).not.toContain(body.access_token);
  });

  it('cannot be added twice, which is said at the field', async () => {
    const body = { ...atProvider('300000000000002') };
    await owner.post(`${NUMBERS}/business-accounts`, body);
    expect(await owner.post(`${NUMBERS}/business-accounts`, body)).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'waba_id', message: 'This WABA id is already registered.' },
    ]);
  });

  it.each([
    ['a wrong token', { access_token: 'wrong' }, 'access_token', /does not accept this access token/],
    ['an unknown id', { waba_id: '399999999999999' }, 'waba_id', /knows no business account with this id/],
  ])('is refused in plain words for %s, and not stored', async (_what, changes, field, words) => {
    const body = { ...atProvider('300000000000003'), ...changes };
    for (const path of ['business-accounts/test', 'business-accounts']) {
      const { app_id: _app, app_secret: _secret, ...tested } = body;
      const answer = await owner.post(`${NUMBERS}/${path}`, path.endsWith('test') ? tested : body);
      expect(answer).toBeError(400, 'VALIDATION_FAILED', [
        { field, message: expect.stringMatching(words), provider_code: expect.any(Number) },
      ]);
    }
    const stored = (await accounts()).map(({ waba_id }: any) => waba_id);
    expect(stored).not.toContain(body.waba_id);
  });

  it('keeps a secret whose field is left empty, and uses a new one everywhere', async () => {
    const body = atProvider('300000000000004');
    const { business_account_id: id } = (await owner.post(`${NUMBERS}/business-accounts`, body)).body.data;
    const unchanged = { app_id: '77', access_token: '', app_secret: '' };
    expect((await patch(owner, `business-accounts/${id}`, unchanged)).status).toBe(200);
    const test = { business_account_id: id, waba_id: body.waba_id, access_token: '' };
    expect((await owner.post(`${NUMBERS}/business-accounts/test`, test)).status).toBe(200);
    service().sandbox.addBusinessAccount({
      wabaId: body.waba_id,
      appId: '77',
      accessToken: 'a-newer-token',
      appSecret: 'a newer secret',
      numbers: [],
    });
    expect(await owner.post(`${NUMBERS}/business-accounts/test`, test)).toBeError(400, 'VALIDATION_FAILED');
    const changes = { access_token: 'a-newer-token', app_secret: 'a newer secret' };
    expect((await patch(owner, `business-accounts/${id}`, changes)).status).toBe(200);
    expect((await owner.post(`${NUMBERS}/business-accounts/test`, test)).status).toBe(200);
    expect(await audited('business_account.changed')).toEqual({
      business_account_id: id,
      waba_id: body.waba_id,
      changed: ['access_token', 'app_secret'],
    });
  });

  it('is added and changed by owners only', async () => {
    const body = atProvider('300000000000005');
    expect(await editor.post(`${NUMBERS}/business-accounts`, body)).toBeError(403, 'FORBIDDEN');
    expect(await editor.post(NUMBERS, {})).toBeError(403, 'FORBIDDEN');
    expect(await patch(editor, DEMO.numbers[0].apiId, { name: 'X' })).toBeError(403, 'FORBIDDEN');
  });
});

describe('a number', () => {
  it('is tested, added, sent from and changed', async () => {
    const body = atProvider('300000000000010');
    const { business_account_id } = (await owner.post(`${NUMBERS}/business-accounts`, body)).body.data;
    const number = { business_account_id, phone_number_id: '9300000000000010' };
    expect((await owner.post(`${NUMBERS}/test`, number)).body.data).toEqual({
      display_phone_number: '+1 415 555 0300',
      verified_name: 'New shop',
      quality_rating: 'GREEN',
    });
    const fields = { ...number, phone: '+1 (415) 555-0300', name: 'New shop', messages_per_second: 20 };
    const added = await owner.post(NUMBERS, fields);
    expect(added.status).toBe(201);
    const id = added.body.data['messaging_account_id'];
    expect(await owner.post(NUMBERS, fields)).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'phone_number_id', message: 'This phone number id is already registered.' },
    ]);
    expect((await patch(owner, id, { name: 'Newer shop', messages_per_second: 30 })).status).toBe(200);
    const all = await accounts();
    expect(all.find((one) => one['business_account_id'] === business_account_id)?.['numbers']).toMatchObject([
      { messaging_account_id: id, name: 'Newer shop', phone: '14155550300', messages_per_second: 30 },
    ]);
    const sent = await eventually(async () => {
      const answer = await service().api.send('+12025550100', {
        messaging_account_id: id,
        data: { name: 'welcome' },
      });
      expect(answer.status).toBe(202); // as its templates have arrived
      return answer.body.data['message_log_id'];
    });
    await eventually(async () => expect((await service().api.message(sent))['status']).toBe('read'));
  });

  it.each([
    [{ phone_number_id: '12345' }, 400, 'VALIDATION_FAILED', 'phone_number_id'],
    [{ phone: '0123' }, 422, 'INVALID_PHONE', 'phone'],
    [{ messages_per_second: 1_001 }, 400, 'VALIDATION_FAILED', 'messages_per_second'],
    [{ messages_per_second: 0 }, 400, 'VALIDATION_FAILED', 'messages_per_second'],
    [{ name: ' ' }, 400, 'VALIDATION_FAILED', 'name'],
  ] as const)('with %j is refused at the field', async (changes, status, code, field) => {
    const business_account_id = (await accounts())[0]?.['business_account_id'];
    const phone_number_id = DEMO.numbers[0].phoneNumberId;
    const body = {
      business_account_id,
      phone_number_id,
      phone: '+14155550399',
      name: 'A',
      messages_per_second: 1,
    };
    const answer = await owner.post(NUMBERS, { ...body, ...changes });
    expect(answer).toBeError(status, code);
    expect(answer.body.error.details).toMatchObject([{ field }]);
  });
});
