import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { DEMO } from '../../src/embedded/demo.js';
import { text } from '../support/api.js';
import { copiesOf, messageLogIdOf } from '../support/copies.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template } from '../support/tenants.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  service.sandbox.addMedia(DEMO.wabaId, RECEIPT, 'application/pdf');
});
afterAll(() => service.stop());

/** The id of an uploaded document. */
const RECEIPT = '4711';
const SEND = '/api/v1/messages/send';
const PHONE = '+12025550100';
const data = (name: string, others: object = {}) => ({ data: { name, ...others } });
const body = (...texts: string[]) => ({ type: 'body', parameters: texts.map((value) => text(value)) });

/** Sends a message. @returns what the provider got */
async function taken(phone: string, changes: object) {
  const answer = await service.api.send(phone, changes as Record<string, unknown>);
  expect(answer.body).toMatchObject({ success: true, data: { status: 'queued' } });
  const id: number = answer.body.data['message_log_id'];
  return eventually(() => {
    const [message] = copiesOf(service, id);
    if (!message) throw new Error('not taken');
    return message;
  });
}

async function count(table: string): Promise<number> {
  const [row] = await service.database.run<{ count: number }>({
    name: `count_${table}`,
    text: `SELECT count(*) AS count FROM ${table}`,
  });
  return row?.count ?? 0;
}

describe('An accepted send', () => {
  it('is acknowledged by 202 with the four documented fields', async () => {
    const answer = await service.api.send(PHONE);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      success: true,
      data: {
        status: 'queued',
        message_log_id: expect.any(Number),
        conversation_category: 'UTILITY',
        cost: 0.004,
      },
    });
    expect(answer.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it.each([
    ['MARKETING', data('coupon', { params: ['Amal'], components: [couponButton()] })],
    ['UTILITY', data('hello_world')],
    ['AUTHENTICATION', data('login_code', { params: ['123456'], components: [codeButton('123456')] })],
  ])("has the template's category: %s", async (category, changes) => {
    const answer = await service.api.send(PHONE, changes);
    expect(answer.body.data['conversation_category']).toBe(category);
    const record = await service.api.message(answer.body.data['message_log_id']);
    expect(record['conversation_category']).toBe(category);
  });

  it('goes to the provider as the request described it', async () => {
    expect(await taken('+1 202 555 0101', {})).toMatchObject({
      phone_number_id: DEMO.numbers[0].phoneNumberId,
      to: '12025550101',
      template: { name: 'order_update', language: 'en_US' },
      components: [body('Amal', 'A-1001')],
    });
  });

  it('goes out from the number that the request names', async () => {
    const message = await taken('+12025550101', { messaging_account_id: DEMO.numbers[1].apiId });
    expect(message.phone_number_id).toBe(DEMO.numbers[1].phoneNumberId);
  });
});

function couponButton() {
  return {
    type: 'button',
    sub_type: 'copy_code',
    index: 1 - 1,
    parameters: [{ type: 'coupon_code', coupon_code: 'SPRING' }],
  };
}
function codeButton(code: string) {
  return { type: 'button', sub_type: 'url', index: '0', parameters: [text(code)] };
}

describe('The phone', () => {
  it.each([
    ['+12025550160', '12025550160'],
    ['12025550161', '12025550161'],
    ['+1 (202) 555-0162', '12025550162'],
    ['+1.202.555.0163', '12025550163'],
    [' +1 202 555 0164 ', '12025550164'],
    ['+44 (0)20 7946 0165', '442079460165'],
    ['+971 50 123 0166', '971501230166'],
    ['971-50-123-0167', '971501230167'],
    ['+971 59 999 9999', '971599999999'],
  ])('%j is sent to %s', async (phone, digits) => {
    expect((await taken(phone, {})).to).toBe(digits);
    const list = await service.api.get(`/api/v1/messages?phone=${encodeURIComponent(phone)}`);
    expect(list.body.data).toEqual([expect.objectContaining({ phone: digits })]);
  });

  it.each(['+', '  ', '123', '+1 202 555', '00971501234567', '0501234567', '+999 123 4567', '1-800-FLOWERS'])(
    '%j is INVALID_PHONE',
    async (phone) =>
      expect(await service.api.send(phone)).toBeError(422, 'INVALID_PHONE', [{ field: 'phone' }]),
  );

  it.each(['+12025550100;+12025550101', '+1202555٠١٠٠', '12025550100\n', '++12025550100', '1'.repeat(60)])(
    '%j, which looks like several or odd numbers, is INVALID_PHONE',
    async (phone) =>
      expect(await service.api.send(phone)).toBeError(422, 'INVALID_PHONE', [{ field: 'phone' }]),
  );
});

describe('The template', () => {
  it('has the language en_US when the request names none', async () => {
    expect(
      (await taken('+12025550170', data('order_update', { params: ['1', '2'] }))).template.language,
    ).toBe('en_US');
  });

  it('has the language that the request names', async () => {
    const changes = data('order_update', { language_code: 'ar', params: ['1', '2'] });
    expect((await taken('+12025550171', changes)).template.language).toBe('ar');
  });

  it.each(['en', 'EN_US', 'en-US', 'en_us', 'en_US ', 'ar_AE', 'fr'])(
    'is not found by the language %j, which is not exactly its own',
    async (code) => {
      const changes = data('order_update', { language_code: code, params: ['1', '2'] });
      expect(await service.api.send(PHONE, changes)).toBeError(404, 'TEMPLATE_NOT_FOUND', [
        { field: 'data.name' },
      ]);
    },
  );

  it.each(['Order_Update', 'order_update ', 'order', 'order_update_', '%', 'order_updat_'])(
    'is not found by the name %j, which is not exactly its own',
    async (name) => expect(await service.api.send(PHONE, data(name))).toBeError(404, 'TEMPLATE_NOT_FOUND'),
  );
});

describe('A template that may not be sent', () => {
  it.each([
    ['winter_offer', 404, 'TEMPLATE_NOT_FOUND', 'PENDING'],
    ['free_money', 404, 'TEMPLATE_NOT_FOUND', 'REJECTED'],
    ['daily_offer', 404, 'TEMPLATE_NOT_FOUND', 'DISABLED'],
    ['weekly_news', 422, 'TEMPLATE_PAUSED', 'PAUSED'],
  ])('like %s is answered by %i %s, with its status', async (name, status, code, is) => {
    const answer = await service.api.send(PHONE, data(name, { params: ['Amal'] }));
    expect(answer).toBeError(status, code, [{ field: 'data.name', status: is }]);
  });

  it.each([
    ["status = 'PAUSED'", 422, 'TEMPLATE_PAUSED'],
    ["status = 'REJECTED'", 404, 'TEMPLATE_NOT_FOUND'],
    ['removed_at = now()', 404, 'TEMPLATE_NOT_FOUND'],
  ])('is refused although a stale cache would allow it: %s', async (change, status, code) => {
    const other = await addTenant(service, { templates: [template('greeting', 'Hello {{1}}!')] });
    const send = () =>
      other.api.post(SEND, { phone: PHONE, message_type: 'template', ...data('greeting', one) });
    const one = { params: ['Amal'] };
    expect((await send()).status).toBe(202);
    await service.database.run(
      {
        name: `break_${status}_${change.length}`,
        text: `UPDATE templates SET ${change} WHERE business_account_id = $1`,
      },
      [other.businessAccountId],
    );
    const before = await count('message_logs');
    expect(await send()).toBeError(status, code);
    expect(await count('message_logs')).toBe(before);
  });
});

describe('The field `params`', () => {
  it.each([
    ['for the body alone', data('order_update', { params: ['Bo', 'B-2'] }), [body('Bo', 'B-2')]],
    ['empty, with no placeholders', data('hello_world', { params: [] }), []],
    ['left out, with no placeholders', data('hello_world'), []],
    [
      'beside a header',
      data('order_receipt', { params: ['B-2'], components: [document()] }),
      [document(), body('B-2')],
    ],
    [
      'beside a button',
      data('parcel_tracking', { params: ['B-2'], components: [codeButton('B-2')] }),
      [body('B-2'), codeButton('B-2')],
    ],
    [
      'with named placeholders, in their order',
      data('delivery_window', { params: ['Bo', '10', '12'] }),
      [
        {
          type: 'body',
          parameters: named([
            ['customer', 'Bo'],
            ['from', '10'],
            ['to', '12'],
          ]),
        },
      ],
    ],
  ])('is accepted %s', async (_case, changes, components) => {
    const message = await taken('+12025550101', changes);
    expect(message.components).toEqual(components);
    const record = await service.api.message(messageLogIdOf(message)!);
    expect(record['components']).toEqual(components);
  });

  it.each([
    ['too few', ['Bo']],
    ['too many', ['Bo', 'B-2', 'x']],
    ['none', []],
  ])('is refused with %s', async (_case, params) => {
    const answer = await service.api.send(PHONE, data('order_update', { params }));
    const detail = { field: 'data.params', expected: 2, actual: params.length };
    expect(answer).toBeError(422, 'TEMPLATE_PARAMS_MISMATCH', [detail]);
  });

  it('cannot be combined with a body component', async () => {
    const answer = await service.api.send(
      PHONE,
      data('order_update', { params: ['1', '2'], components: [body('1', '2')] }),
    );
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [expect.objectContaining({ field: 'data.params' })]);
  });
});

function document() {
  return {
    type: 'header',
    parameters: [{ type: 'document', document: { id: RECEIPT, filename: 'receipt.pdf' } }],
  };
}
function named(pairs: [string, string][]) {
  return pairs.map(([parameter_name, value]) => ({ ...text(value), parameter_name }));
}

const unnamed = (others: object) => ({
  phone: PHONE,
  message_type: 'template',
  ...data('greeting', others),
});

describe('A send without an account', () => {
  it('goes out from the only number, and is refused when there are two', async () => {
    const other = await addTenant(service, { templates: [template('greeting', 'Hello!')] });
    const sent = await other.api.post(SEND, unnamed({ params: [] }));
    expect(sent.status).toBe(202);
    const record = await other.api.message(sent.body.data['message_log_id']);
    expect(record['messaging_account_id']).toBe(other.accounts[0]);
    await service.app
      .get(AccountsService, { strict: false })
      .addNumber(
        { id: other.businessAccountId, tenantId: other.id },
        { phoneNumberId: '777', phone: '14155550299', name: 'Second', messagesPerSecond: 80 },
      );
    expect(await other.api.post(SEND, unnamed({ params: [] }))).toBeError(422, 'MESSAGING_ACCOUNT_REQUIRED', [
      { field: 'messaging_account_id' },
    ]);
  });

  it.each([{}, { params: null }, { components: [] }])(
    'is VALIDATION_FAILED when it has no `params`: %j',
    async (others) => {
      const answer = await service.api.post(SEND, unnamed(others));
      expect(answer).toBeError(400, 'VALIDATION_FAILED', [
        expect.objectContaining({ field: 'messaging_account_id' }),
      ]);
    },
  );
});
