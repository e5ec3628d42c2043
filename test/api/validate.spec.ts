import { describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AccountChangesService } from '../../src/accounts/account-changes.service.js';
import { PricingService } from '../../src/pricing/pricing.service.js';
import { CategoryChangesService } from '../../src/templates/category-changes.service.js';
import { Api, sendBody, text } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const VALIDATE = '/api/v1/messages/validate';
const HOUR = 3_600_000;
const YEAR = new Date().getUTCFullYear() + 1;

const service = useTestService();

/** A body of a template of the demo, as `changes` make it. */
const bodyOf = (name: string, data: object = {}, changes: object = {}) => ({
  ...sendBody('+49 1511 0000100'),
  data: { name, ...data },
  ...changes,
});
const validate = async (body: unknown, api = service().api) => {
  const answer = await api.post(VALIDATE, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const codesOf = (list: { code: string }[]) => list.map(({ code }) => code);
const image = (link: string) => ({ type: 'header', parameters: [{ type: 'image', image: { link } }] });
const SPRING = { components: [image('https://cdn.example/a.jpg')], params: ['Amal', '20 %'] };

describe('A send that would be accepted', () => {
  it('is told with its text, price and time, as the send would have them', async () => {
    const body = bodyOf('order_update', { params: ['Amal', 'A-1001'] });
    const before = service().clock.now();
    const data = await validate(body);
    expect(data).toEqual({
      valid: true,
      errors: [],
      message: {
        phone: '4915110000100',
        template: {
          name: 'order_update',
          language: 'en_US',
          category: 'UTILITY',
          status: 'APPROVED',
          version: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
        rendered: {
          header: null,
          body: 'Hello Amal, your order A-1001 is on its way.',
          footer: 'Demo shop',
          buttons: [],
          offer: null,
          cards: [],
        },
        due_at: expect.any(String),
        timezone: null,
      },
      price: { amount: expect.any(Number), currency: 'USD', market: 'Germany', category: 'UTILITY' },
      warnings: [],
    });
    expect(Date.parse(data['message'].due_at)).toBeGreaterThanOrEqual(before.getTime());
    const sent = await service().api.post('/api/v1/messages/send', body);
    expect(sent.status).toBe(202);
    expect(sent.body.data['cost']).toBe(data['price'].amount);
  });

  it('stores, charges and counts nothing', async () => {
    const counts = async () =>
      service().database.run<object>({
        name: 'test_counts',
        // Not the events: those of a message that an earlier test has sent may still come.
        text: `SELECT (SELECT count(*) FROM message_logs) AS messages, (SELECT count(*) FROM ledger_entries) AS entries,
          (SELECT count(*) FROM idempotency_keys) AS keys`,
      });
    const before = await counts();
    await validate(bodyOf('order_update', { params: ['Amal', 'A-1001'] }));
    await service().api.post(VALIDATE, sendBody('+4915110000100'), { 'Idempotency-Key': 'not-used' });
    expect(await counts()).toEqual(before);
    expect((await service().api.send('+4915110000100', {}, { 'Idempotency-Key': 'not-used' })).status).toBe(
      202,
    );
  });

  it('for later has its time and zone', async () => {
    const schedule = { scheduled_at: `${YEAR}-07-01T10:00:00`, timezone: 'Europe/Berlin' };
    const { message } = await validate(bodyOf('hello_world', {}, schedule));
    expect(message).toMatchObject({ due_at: `${YEAR}-07-01T08:00:00.000Z`, timezone: 'Europe/Berlin' });
  });

  it('keeps its version while the template says the same, and gets another with other words', async () => {
    const tenant = await tenantWith(
      template('one', 'Hi {{1}}.'),
      template('same', 'Hi {{1}}.'),
      template('other', 'Hi {{1}}!'),
    );
    const versionOf = async (name: string) =>
      (await validate(of(tenant, name, { params: ['Amal'] }), tenant.api))['message'].template.version;
    expect(await versionOf('same')).toBe(await versionOf('one'));
    expect(await versionOf('other')).not.toBe(await versionOf('one'));
  });
});

let tenants = 0;
const tenantWith = (...templates: ReturnType<typeof template>[]) =>
  addTenant(service(), { phones: [`1415555${String((tenants += 1)).padStart(4, '0')}`], templates });
const of = (tenant: TestTenant, name: string, data: object = {}, changes: object = {}) => ({
  messaging_account_id: tenant.accounts[0],
  phone: '+4915110000100',
  message_type: 'template',
  data: { name, ...data },
  ...changes,
});

describe('The text of a send', () => {
  const rendered = async (body: object, api?: Api) => (await validate(body, api))['message'].rendered;

  it('has named parameters in their places', async () => {
    const components = [
      {
        type: 'body',
        parameters: [
          { ...text('12:00'), parameter_name: 'to' },
          { ...text('Amal'), parameter_name: 'customer' },
          { ...text('10:00'), parameter_name: 'from' },
        ],
      },
    ];
    expect(await rendered(bodyOf('delivery_window', { components }))).toMatchObject({
      body: 'Dear Amal, your parcel comes between 10:00 and 12:00 today.',
    });
  });

  it('has a text header and buttons', async () => {
    const components = [
      { type: 'header', parameters: [text('Amal')] },
      { type: 'body', parameters: [text('Monday'), text('10:00')] },
    ];
    expect(await rendered(bodyOf('appointment_reminder', { components }))).toMatchObject({
      header: { type: 'text', text: 'Reminder for Amal', url: null, file_name: null },
      body: 'We expect you on Monday at 10:00.',
      footer: null,
      buttons: [
        { type: 'reply', text: 'Confirm', target: null },
        { type: 'reply', text: 'Cancel', target: null },
      ],
    });
  });

  it('has the media and link that are sent', async () => {
    expect(await rendered(bodyOf('spring_offer', SPRING))).toMatchObject({
      header: { type: 'image', url: 'https://cdn.example/a.jpg' },
      body: 'Dear Amal, everything is 20 % off until Sunday.',
      footer: 'Reply STOP to opt out',
    });
    const track = { type: 'button', sub_type: 'url', index: 0, parameters: [text('A-1001')] };
    expect(
      await rendered(bodyOf('parcel_tracking', { params: ['A-1001'], components: [track] })),
    ).toMatchObject({
      buttons: [{ type: 'link', text: 'Track', target: 'https://example.com/track/A-1001' }],
    });
  });

  it('has amounts and dates by the words that stand for them', async () => {
    const amount = {
      type: 'currency',
      currency: { fallback_value: '€7.50', code: 'EUR', amount_1000: 7500 },
    };
    const day = { type: 'date_time', date_time: { fallback_value: '3 May' } };
    const components = [{ type: 'body', parameters: [amount, day] }];
    expect((await rendered(bodyOf('order_update', { components }))).body).toBe(
      'Hello €7.50, your order 3 May is on its way.',
    );
  });

  it("has the provider's words for a code, in the template's language", async () => {
    const code = (language: string) =>
      template(
        'code',
        [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 5 },
          { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
        ],
        { language, category: 'AUTHENTICATION' },
      );
    const tenant = await tenantWith(code('es_MX'), code('en_GB'));
    const button = { type: 'button', sub_type: 'url', index: 0, parameters: [text('482913')] };
    const data = { params: ['482913'], components: [button] };
    expect(await rendered(of(tenant, 'code', { ...data, language_code: 'es_MX' }), tenant.api)).toMatchObject(
      {
        body: '*482913* es tu código de verificación. Por tu seguridad, no lo compartas.',
        footer: 'Este código caduca en 5 minutos.',
        buttons: [{ type: 'copy', text: 'Copiar código', target: '482913' }],
      },
    );
    expect(await rendered(of(tenant, 'code', { ...data, language_code: 'en_GB' }), tenant.api)).toMatchObject(
      {
        body: '*482913* is your verification code. For your security, do not share this code.',
        footer: 'This code expires in 5 minutes.',
      },
    );
  });

  it('has the cards of a carousel', async () => {
    const card = (name: string) => ({
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: `${name} for {{1}}` },
      ],
    });
    const carousel = { type: 'CAROUSEL', cards: [card('Tulips'), card('Roses')] };
    const tenant = await tenantWith(template('shop', [{ type: 'BODY', text: 'New.' }, carousel] as never));
    const sent = (card_index: number, name: string) => ({
      card_index,
      components: [
        image(`https://cdn.example/${card_index}.jpg`),
        { type: 'body', parameters: [text(name)] },
      ],
    });
    const components = [{ type: 'carousel', cards: [sent(1, 'Bo'), sent(0, 'Amal')] }];
    expect((await rendered(of(tenant, 'shop', { components }), tenant.api)).cards).toMatchObject([
      { header: { url: 'https://cdn.example/0.jpg' }, body: 'Tulips for Amal', buttons: [] },
      { header: { url: 'https://cdn.example/1.jpg' }, body: 'Roses for Bo', buttons: [] },
    ]);
  });
});

describe('A send that would be refused', () => {
  it('is told with all of its faults, in the order of the checks', async () => {
    const wrong = bodyOf(
      'spring_offer',
      { params: ['Amal'] },
      {
        phone: '12',
        schedule_at: 'soon',
        scheduled_at: '2020-01-01T00:00:00Z',
      },
    );
    const { valid, errors, message, price } = await validate(wrong);
    expect(valid).toBe(false);
    expect(codesOf(errors)).toEqual([
      'VALIDATION_FAILED',
      'TEMPLATE_HEADER_MEDIA_REQUIRED',
      'TEMPLATE_PARAMS_MISMATCH',
      'INVALID_PHONE',
      'TIMEZONE_REQUIRED',
      'SCHEDULED_AT_IN_PAST',
    ]);
    expect(errors[0].details).toEqual([
      { field: 'schedule_at', message: 'property schedule_at should not exist' },
    ]);
    expect(errors[2].details).toEqual([{ field: 'data.params', expected: 2, actual: 1 }]);
    expect(message).toMatchObject({
      phone: null,
      template: { name: 'spring_offer', status: 'APPROVED' },
      rendered: null,
      due_at: null,
    });
    expect(price).toBeNull();
  });

  it('by its template has its text and price all the same', async () => {
    const paused = await validate(bodyOf('weekly_news', { params: ['Amal'] }));
    expect(codesOf(paused['errors'])).toEqual(['TEMPLATE_PAUSED']);
    expect(paused['message']).toMatchObject({
      template: { status: 'PAUSED', category: 'MARKETING' },
      rendered: { body: 'The news of the week, Amal.' },
    });
    expect(paused['price']).toMatchObject({ category: 'MARKETING', market: 'Germany' });
    const pending = await validate(bodyOf('winter_offer', { params: [] }));
    expect(codesOf(pending['errors'])).toEqual(['TEMPLATE_NOT_FOUND', 'TEMPLATE_PARAMS_MISMATCH']);
  });

  it('by its account or template is judged in all that does not depend on these', async () => {
    const unknown = await validate(bodyOf('hello_world', {}, { messaging_account_id: 'acc_x', phone: '12' }));
    expect(codesOf(unknown['errors'])).toEqual(['ACCOUNT_NOT_FOUND', 'INVALID_PHONE']);
    const nameless = await validate(bodyOf('no_such_template', {}, { timezone: 'Nowhere' }));
    expect(codesOf(nameless['errors'])).toEqual(['TEMPLATE_NOT_FOUND', 'INVALID_TIMEZONE']);
    expect(nameless['message']).toMatchObject({ phone: '4915110000100', template: null, rendered: null });
  });

  it('by the type of one field is judged by the others', async () => {
    const { errors, message } = await validate(bodyOf('order_update', { params: 'Amal' }, { phone: 12 }));
    expect(codesOf(errors)).toEqual(['VALIDATION_FAILED']);
    expect(errors[0].details.map(({ field }: { field: string }) => field)).toEqual(['phone', 'data.params']);
    expect(message).toMatchObject({ phone: null, template: { name: 'order_update' }, rendered: null });
  });

  it.each([
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['too deep', `${'['.repeat(50)}${']'.repeat(50)}`],
    ['text that cannot be stored', JSON.stringify({ ...sendBody('+4915110000100'), phone: 'a\0' })],
    ['a field that every object has', '{"__proto__":{}}'],
  ])('by its shape, %s, is told so, as a send is', async (_what, body) => {
    const json = { 'Content-Type': 'application/json' };
    const answer = await service().api.request('POST', VALIDATE, body, json);
    const sent = await service().api.request('POST', '/api/v1/messages/send', body, json);
    expect([answer.status, sent.status]).toEqual([200, 400]);
    const { message, details } = sent.body.error;
    expect(answer.body.data).toMatchObject({
      valid: false,
      errors: [{ code: 'VALIDATION_FAILED', message, details }],
      price: null,
    });
  });

  it('by no JSON at all is a 400, and by another type a 415', async () => {
    const post = (type: string) =>
      service().api.request('POST', VALIDATE, '{"phone":', { 'Content-Type': type });
    expect(await post('application/json')).toBeError(400, 'INVALID_JSON');
    expect(await post('text/plain')).toBeError(415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it("learns nothing of another tenant's number", async () => {
    const tenant = await addTenant(service(), { phones: ['14155559999'] });
    const theirs = await validate(of(tenant, 'hello_world'));
    const nobodys = await validate({ ...of(tenant, 'hello_world'), messaging_account_id: 'acc_x' });
    for (const answer of [theirs, nobodys]) delete answer['message'].due_at;
    expect(theirs).toEqual(nobodys);
  });
});

describe('The price of a send', () => {
  it('has the international rate for a code where the provider has declared it', async () => {
    const code = template('code', 'Your code is {{1}}.', { category: 'AUTHENTICATION' });
    const tenant = await tenantWith(code);
    const priceOf = async () =>
      (await validate(of(tenant, 'code', { params: ['1'] }, { phone: '+919876540100' }), tenant.api))[
        'price'
      ];
    expect(await priceOf()).toEqual({
      amount: 0.002,
      currency: 'USD',
      market: 'India',
      category: 'AUTHENTICATION',
    });
    const now = service().clock.now();
    await service()
      .app.get(AccountChangesService, { strict: false })
      .setAuthInternational(tenant.businessAccountId, { '*': now.toISOString() }, now);
    expect(await priceOf()).toMatchObject({ amount: 0.03, category: 'AUTHENTICATION_INTERNATIONAL' });
  });
});

describe('A warning', () => {
  const warningsOf = async (body: object, api?: Api) => (await validate(body, api))['warnings'];
  const failed = async (phone: string, name: string, data: object) => {
    const sent = await service().api.post('/api/v1/messages/send', bodyOf(name, data, { phone }));
    const id = sent.body.data['message_log_id'];
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'failed' }));
  };

  it('tells that the recipient had reached the marketing cap, for a day and for any category', async () => {
    const phone = '+4915110000112';
    await failed(phone, 'spring_offer', SPRING);
    const again = bodyOf('spring_offer', SPRING, { phone });
    expect(await warningsOf(again)).toEqual([
      {
        code: 'RECIPIENT_CAPPED_RECENTLY',
        message: expect.stringMatching(/at \d{4}-\d\d-\d\d \d\d:\d\d UTC .* Wait for 24 hours\.$/),
      },
    ]);
    const other = await warningsOf(bodyOf('hello_world', {}, { phone }));
    expect(other).toEqual([
      { code: 'RECIPIENT_CAPPED_RECENTLY', message: expect.stringMatching(/\(error 131049\)\.$/) },
    ]);
    service().clock.forward(25 * HOUR);
    expect(await warningsOf(again)).toEqual([]);
  });

  it('tells of a failure within a day, however long ago its message was accepted', async () => {
    const phone = '+4915210000112';
    const scheduled_at = new Date(service().clock.now().getTime() + 72 * HOUR).toISOString();
    const body = bodyOf('spring_offer', SPRING, { phone, scheduled_at, timezone: 'UTC' });
    const { message_log_id: id } = (await service().api.post('/api/v1/messages/send', body)).body.data;
    const now = bodyOf('spring_offer', SPRING, { phone });
    service().clock.forward(71 * HOUR);
    expect(await warningsOf(now)).toEqual([]);
    service().clock.forward(HOUR);
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'failed' }));
    expect(codesOf(await warningsOf(now))).toEqual(['RECIPIENT_CAPPED_RECENTLY']);
    service().clock.forward(23 * HOUR);
    expect(codesOf(await warningsOf(now))).toEqual(['RECIPIENT_CAPPED_RECENTLY']);
    service().clock.forward(HOUR);
    expect(await warningsOf(now)).toEqual([]);
  });

  it('tells that the recipient could not be reached, and not of those of another tenant', async () => {
    const phone = '+4915110000111';
    await failed(phone, 'hello_world', {});
    expect(codesOf(await warningsOf(bodyOf('hello_world', {}, { phone })))).toEqual([
      'RECIPIENT_UNDELIVERABLE_RECENTLY',
    ]);
    const tenant = await tenantWith(template('hello', 'Hello.'));
    expect(await warningsOf(of(tenant, 'hello', {}, { phone }), tenant.api)).toEqual([]);
  });

  it('tells that marketing is not delivered to the United States', async () => {
    const american = { phone: '+12025550100' };
    expect(codesOf(await warningsOf(bodyOf('spring_offer', SPRING, american)))).toEqual([
      'COUNTRY_NOT_DELIVERED',
    ]);
    expect(await warningsOf(bodyOf('spring_offer', SPRING, { phone: '+14165550100' }))).toEqual([]);
    expect(await warningsOf(bodyOf('hello_world', {}, american))).toEqual([]);
  });

  it('tells of a low quality', async () => {
    const data = { params: ['Amal'] };
    expect(codesOf(await warningsOf(bodyOf('weekly_news', data)))).toEqual(['TEMPLATE_QUALITY_LOW']);
  });

  it('tells of a hold on the number, and of one on its business account', async () => {
    for (const scope of ['number', 'business_account']) {
      const tenant = await tenantWith(template('hello', 'Hello.'));
      const accounts = service().app.get(AccountsService, { strict: false });
      const account = await accounts.find(tenant.id, tenant.accounts[0] as string);
      await service().database.run(
        {
          name: 'test_hold',
          text: `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
            VALUES ($1, $2, $3, 'spam', '{"code": 131048, "title": "Spam rate limit hit", "details": null}', now(), 'infinity')`,
        },
        [tenant.id, scope, scope === 'number' ? String(account.id) : account.businessAccountId],
      );
      expect(await warningsOf(of(tenant, 'hello'), tenant.api)).toEqual([
        { code: 'NUMBER_ON_HOLD', message: 'Messages of this number wait at present: Spam rate limit hit' },
      ]);
    }
  });

  it('tells that the limit of people is nearly reached', async () => {
    const tenant = await tenantWith(template('hello', 'Hello.'));
    const reach = (recipients: number) =>
      service().database.run(
        {
          name: 'test_reach',
          text: `
            WITH n AS (UPDATE messaging_accounts SET messaging_limit = 'TIER_2K' WHERE tenant_id = $1)
            UPDATE business_accounts SET recipients = $2, recipients_due_at = 'infinity' WHERE tenant_id = $1`,
        },
        [tenant.id, recipients],
      );
    await reach(1_799);
    expect(await warningsOf(of(tenant, 'hello'), tenant.api)).toEqual([]);
    await reach(1_800);
    expect(await warningsOf(of(tenant, 'hello'), tenant.api)).toEqual([
      {
        code: 'LIMIT_NEARLY_REACHED',
        message: '1800 of the 2000 people were reached whom the provider allows in 24 hours.',
      },
    ]);
  });

  it('tells of an announced category', async () => {
    const tenant = await tenantWith(template('hello', 'Hello.'));
    const [row] = await service().database.run<{ id: number }>(
      { name: 'test_id', text: 'SELECT id FROM templates WHERE tenant_id = $1' },
      [tenant.id],
    );
    const at = new Date(Date.UTC(YEAR, 6, 1));
    await service()
      .app.get(CategoryChangesService, { strict: false })
      .announce(
        { id: tenant.businessAccountId, tenantId: tenant.id },
        { id: row!.id, name: 'hello', language: 'en_US' },
        { from: 'UTILITY', to: 'MARKETING', at, saidAt: new Date() },
        service().database,
      );
    expect(await warningsOf(of(tenant, 'hello'), tenant.api)).toEqual([
      {
        code: 'CATEGORY_CHANGE_ANNOUNCED',
        message: `The provider has announced that the template becomes MARKETING at ${YEAR}-07-01 00:00 UTC, with the price of that.`,
      },
    ]);
  });

  it('tells of another price at the time of sending, by the rate card that is in force then', async () => {
    const pricing = service().app.get(PricingService, { strict: false });
    const now = service().clock.now().getTime();
    const later = new Date(now + 48 * HOUR);
    await pricing.load(
      'Market,Currency,Marketing,Utility,Authentication,Authentication-International\nGermany,EUR,1,0.5,0.5,n/a',
      later,
    );
    const at = (offset: number) => ({
      scheduled_at: new Date(later.getTime() + offset).toISOString(),
      timezone: 'UTC',
    });
    expect(await warningsOf(bodyOf('hello_world', {}, at(-HOUR)))).toEqual([]);
    const [warning] = await warningsOf(bodyOf('hello_world', {}, at(HOUR)));
    expect(warning).toMatchObject({
      code: 'PRICE_CHANGES_BEFORE_SEND',
      message: expect.stringMatching(/EUR 0\.500000 instead of USD/),
    });
    expect(await warningsOf(bodyOf('hello_world'))).toEqual([]);
  });
});
