import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { type Api, sendBody } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant } from '../support/tenants.js';

const SEND = '/dashboard/api/messages/send';
const API = '/api/v1/messages/validate';
const VALIDATE = '/dashboard/api/messages/validate';
const [NUMBER] = DEMO.numbers;

const service = useTestService();
let editor: Api;
beforeAll(async () => {
  editor = await dashboardApi(service(), 'editor');
});

const send = (body: object, key: string, api = editor) => api.post(SEND, body, { 'Idempotency-Key': key });
const messages = async () => (await service().api.get('/api/v1/messages')).body.data as unknown as object[];

describe('a send from the dashboard', () => {
  it('makes one message, however often its form is sent, and is in the audit log', async () => {
    const body = sendBody('+1 202 555 0100');
    const answers = await Promise.all([send(body, 'form-1'), send(body, 'form-1')]);
    const repeated = await send(body, 'form-1');
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(202);
    expect(repeated.status).toBe(202);
    expect(await messages()).toHaveLength(1);
    const { message_log_id } = repeated.body.data;
    await eventually(async () =>
      expect(await service().api.message(message_log_id)).toMatchObject({ status: 'read' }),
    );
    const owner = await dashboardApi(service(), 'owner');
    const log = await owner.get('/dashboard/api/audit-log?action=message.sent');
    expect(log.body.data).toMatchObject([{ details: { message_log_id, template: 'order_update' } }]);
    expect(log.text).not.toContain('12025550100');
  });

  it('needs an Idempotency-Key', async () => {
    expect(await editor.post(SEND, sendBody('+12025550100'))).toBeError(400, 'VALIDATION_FAILED');
  });

  it('is refused by the rules of the API, with the field', async () => {
    expect(await send(sendBody('+1202'), 'form-2')).toBeError(422, 'INVALID_PHONE', [{ field: 'phone' }]);
    expect(await send({ ...sendBody('+12025550100'), phon: '1' }, 'form-2')).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'phon' })],
    );
  });

  it('is for editors alone, with the numbers of their tenant', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    expect(await send(sendBody('+12025550100'), 'form-3', viewer)).toBeError(403, 'FORBIDDEN');
    expect(await viewer.post(VALIDATE, sendBody('+12025550100'))).toBeError(403, 'FORBIDDEN');
    const other = await addTenant(service());
    const theirs = await dashboardApi(service(), 'owner', { tenantId: other.id });
    expect(await send(sendBody('+12025550100'), 'form-3', theirs)).toBeError(404, 'ACCOUNT_NOT_FOUND');
    const { body } = await theirs.post(VALIDATE, sendBody('+12025550100'));
    expect(body.data).toMatchObject({ errors: [{ code: 'ACCOUNT_NOT_FOUND' }], price: null });
  });
});

describe('the verdict on a message', () => {
  it('is that of the API, and sends nothing', async () => {
    const before = await messages();
    const body = { ...sendBody('+1 (202) 555-0100'), scheduled_at: '2020-01-01T00:00:00Z', timezone: 'UTC' };
    const [ours, theirs] = [await editor.post(VALIDATE, body), await service().api.post(API, body)];
    expect(ours.status).toBe(200);
    expect(ours.body).toEqual(theirs.body);
    expect(ours.body.data).toMatchObject({
      errors: [{ code: 'SCHEDULED_AT_IN_PAST' }],
      message: { rendered: { body: 'Hello Amal, your order A-1001 is on its way.' } },
      price: { amount: 0.004, market: 'North America' },
    });
    expect(await messages()).toEqual(before);
  });

  it('comes with the time of sending, also when the clocks skip the wanted time', async () => {
    const year = service().clock.now().getUTCFullYear() + 1;
    const sunday = new Date(Date.UTC(year, 2, 31));
    sunday.setUTCDate(31 - sunday.getUTCDay());
    const day = sunday.toISOString().slice(0, 10);
    const schedule = { scheduled_at: `${day}T02:30:00`, timezone: 'Europe/Berlin' };
    const { data } = (await editor.post(VALIDATE, { ...sendBody('+12025550100'), ...schedule })).body;
    expect(data['message'].due_at).toBe(`${day}T01:30:00.000Z`);
  });
});

describe('an upload of media', () => {
  const upload = (bytes: Buffer, type: string, { account = NUMBER.apiId as string, api = editor } = {}) =>
    api.request(
      'POST',
      `/dashboard/api/uploads/media?messaging_account_id=${account}&file_name=spring%20%22offer%22.png`,
      bytes,
      { 'Content-Type': type },
    );

  it('goes to the provider as it is, and can be sent by its id', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251));
    const { status, body } = await upload(bytes, 'image/png');
    expect(status).toBe(201);
    const { id } = body.data;
    const stored = await fetch(`${service().config.PROVIDER_BASE_URL}/files/${id}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    const header = { type: 'header', parameters: [{ type: 'image', image: { id } }] };
    const data = { name: 'spring_offer', components: [header], params: ['Amal', '20 %'] };
    expect((await send({ ...sendBody('+12025550100'), data }, 'form-4')).status).toBe(202);
  });

  it.each([
    ['a type that is not allowed', 'image/gif', 10, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['nothing', 'image/png', 0, 400, 'VALIDATION_FAILED'],
    ['an image that is too large', 'image/png', 5 * 1024 * 1024 + 1, 413, 'PAYLOAD_TOO_LARGE'],
  ])('is refused with %s', async (_what, type, length, status, code) => {
    expect(await upload(Buffer.alloc(length), type)).toBeError(status, code);
  });

  it('is for editors alone, with the numbers of their tenant', async () => {
    const bytes = Buffer.from('x');
    const viewer = await dashboardApi(service(), 'viewer');
    expect(await upload(bytes, 'image/png', { api: viewer })).toBeError(403, 'FORBIDDEN');
    const other = await addTenant(service());
    expect(await upload(bytes, 'image/png', { account: other.accounts[0] as string })).toBeError(
      404,
      'ACCOUNT_NOT_FOUND',
    );
  });
});
