import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { WireTemplate } from '../provider/wire.js';
import {
  NUMBER,
  SandboxFixture,
  TOKEN,
  WABA,
  bodyParameters,
  sendRequest,
  template,
} from './spec-support.js';

const TO = '+14155550199';
const MEDIUM = '4490709327384033';
const HEADER = (kind: string, media: unknown) => ({
  type: 'header',
  parameters: [{ type: kind, [kind]: media }],
});
const BUTTON = (subType: string, index: unknown, parameter: unknown) => ({
  type: 'button',
  sub_type: subType,
  index,
  parameters: [parameter],
});

const BODY = { type: 'BODY', text: 'Hello there, {{1}}.' };
const SEEDS: Record<string, Partial<WireTemplate>> = {
  photo: { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] },
  place: { components: [{ type: 'HEADER', format: 'LOCATION' }, BODY] },
  linked: {
    components: [
      BODY,
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Stop' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
          { type: 'COPY_CODE', text: 'Copy' },
        ],
      },
    ],
  },
  named: {
    parameter_format: 'NAMED',
    components: [{ type: 'BODY', text: 'Hello {{first_name}}, order {{order_id}} is here.' }],
  },
  carousel: {
    components: [
      BODY,
      {
        type: 'CAROUSEL',
        cards: [1, 2].map(() => ({ components: [{ type: 'HEADER', format: 'IMAGE' }] })),
      },
    ],
  },
  offer: { components: [BODY, { type: 'LIMITED_TIME_OFFER', limited_time_offer: { has_expiration: true } }] },
  paused: { status: 'PAUSED' },
  disabled: { status: 'DISABLED' },
  pending: { status: 'PENDING' },
};

const named = (...names: string[]) => ({
  type: 'body',
  parameters: names.map((name) => ({ type: 'text', parameter_name: name, text: 'x' })),
});
const card = (index: number) => ({
  card_index: index,
  components: [HEADER('image', { link: 'https://shop.example/a.png' })],
});
const TRACK = BUTTON('url', '1', { type: 'text', text: '77' });
const COUPON = BUTTON('copy_code', 2, { type: 'coupon_code', coupon_code: 'SAVE' });
const HELLO = bodyParameters('Ada');

describe('A send', () => {
  const fixture = new SandboxFixture({ limits: false });
  const { sandbox } = fixture;
  beforeAll(async () => {
    await fixture.start();
    for (const [name, more] of Object.entries(SEEDS)) sandbox.addTemplate(WABA, template(name, more));
    sandbox.addMedia(WABA, MEDIUM);
    sandbox.addMedia('another account', '1234567890123456');
  });
  afterEach(() => {
    sandbox.control.restoreToken(WABA);
    sandbox.control.setFault({ mode: 'none' });
  });
  afterAll(() => fixture.stop());

  const send = (body: unknown) => fixture.graph('POST', `${NUMBER}/messages`, body);

  it('is answered with the contact and a message id', async () => {
    const { status, body } = await fixture.send(TO, 'id-1');
    expect(status).toBe(200);
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: TO, wa_id: '14155550199' }],
      messages: [{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }],
    });
  });

  it.each([
    ['an image by link', 'photo', [HEADER('image', { link: 'https://shop.example/a.png' }), HELLO]],
    ['an image by id', 'photo', [HEADER('image', { id: MEDIUM }), HELLO]],
    ['a location', 'place', [HEADER('location', { latitude: 25.2, longitude: '55.3', name: 'Shop' }), HELLO]],
    ['dynamic buttons', 'linked', [HELLO, TRACK, COUPON]],
    [
      'a quick-reply payload',
      'linked',
      [HELLO, TRACK, COUPON, BUTTON('quick_reply', 0, { type: 'payload', payload: 'S' })],
    ],
    ['named parameters in any order', 'named', [named('order_id', 'first_name')]],
    [
      'a currency',
      'order_update',
      [
        {
          type: 'body',
          parameters: [
            { type: 'currency', currency: { fallback_value: '$7', code: 'USD', amount_1000: 7000 } },
          ],
        },
      ],
    ],
    ['a carousel', 'carousel', [HELLO, { type: 'carousel', cards: [card(1), card(0)] }]],
    [
      'a limited offer',
      'offer',
      [
        HELLO,
        {
          type: 'limited_time_offer',
          parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
        },
      ],
    ],
  ])('is accepted with %s', async (_what, name, components) => {
    const { status, body } = await send(sendRequest({ to: TO, name, components }));
    expect([status, body.error]).toEqual([200, undefined]);
  });

  it.each([
    ['a template that does not exist', 132001, 404, 'nothing', [HELLO]],
    ['a template under review', 132001, 404, 'pending', [HELLO]],
    ['a paused template', 132015, 400, 'paused', [HELLO]],
    ['a disabled template', 132016, 400, 'disabled', [HELLO]],
    ['too few parameters', 132000, 400, 'order_update', []],
    ['too many parameters', 132000, 400, 'order_update', [bodyParameters('1', '2')]],
    ['an unknown parameter name', 100, 400, 'named', [named('first_name', 'oder_id')]],
    ['an empty parameter', 131008, 400, 'order_update', [bodyParameters('')]],
    ['a line break in a parameter', 132018, 400, 'order_update', [bodyParameters('a\nb')]],
    ['a text that gets too long', 132005, 400, 'order_update', [bodyParameters('x'.repeat(1025))]],
    ['a header that is missing', 132012, 400, 'photo', [HELLO]],
    ['a header of another kind', 132012, 400, 'photo', [HEADER('video', { id: '1' }), HELLO]],
    [
      'a header with both id and link',
      132012,
      400,
      'photo',
      [HEADER('image', { id: '1', link: 'https://a.example/b' }), HELLO],
    ],
    ['an image of an unknown id', 131053, 400, 'photo', [HEADER('image', { id: '99' }), HELLO]],
    [
      'an image of another account',
      131053,
      400,
      'photo',
      [HEADER('image', { id: '1234567890123456' }), HELLO],
    ],
    ['a location without coordinates', 132012, 400, 'place', [HEADER('location', { name: 'Shop' }), HELLO]],
    [
      'a header the template has not',
      132000,
      400,
      'order_update',
      [{ type: 'header', parameters: [{ type: 'text', text: 'x' }] }, HELLO],
    ],
    ['a URL parameter that is missing', 131008, 400, 'linked', [HELLO, COUPON]],
    ['a coupon code that is missing', 131008, 400, 'linked', [HELLO, TRACK]],
    [
      'a button the template has not',
      132012,
      400,
      'linked',
      [HELLO, TRACK, COUPON, BUTTON('url', 7, { type: 'text', text: 'x' })],
    ],
    ['a card too few', 132000, 400, 'carousel', [HELLO, { type: 'carousel', cards: [card(0)] }]],
    ['an offer without its end', 131008, 400, 'offer', [HELLO]],
  ])('is refused with %s', async (_what, code, status, name, components) => {
    const answer = await send(sendRequest({ to: TO, name, components }));
    expect([answer.body.error.code, answer.status]).toEqual([code, status]);
    expect(answer.body).toEqual({
      error: {
        message: expect.stringContaining(`(#${code})`),
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details: expect.any(String) },
        fbtrace_id: expect.any(String),
      },
    });
  });

  it.each([
    ['no body', undefined],
    ['broken JSON', '{"messaging_product": '],
    ['a list', []],
    ['another product', { ...sendRequest({ to: TO }), messaging_product: 'sms' }],
    ['no recipient', { ...sendRequest({ to: TO }), to: undefined }],
    ['a recipient that is no number', sendRequest({ to: 'Ada' })],
    ['another type', { ...sendRequest({ to: TO }), type: 'text', text: { body: 'Hi' } }],
    ['no template', { ...sendRequest({ to: TO }), template: null }],
    ['components that are no list', sendRequest({ to: TO, components: 'x' })],
    ['a component that is null', sendRequest({ to: TO, components: [null] })],
    [
      'a button of no known sub_type',
      sendRequest({ to: TO, components: [HELLO, BUTTON('phone_number', 0, { type: 'text', text: 'x' })] }),
    ],
    [
      'a button without its index',
      sendRequest({ to: TO, components: [HELLO, BUTTON('url', undefined, { type: 'text', text: 'x' })] }),
    ],
    ['a component of no known type', sendRequest({ to: TO, components: [{ type: 'tail' }] })],
    [
      'parameters that are no objects',
      sendRequest({ to: TO, components: [{ type: 'body', parameters: ['7'] }] }),
    ],
    [
      'a text that is no text',
      sendRequest({ to: TO, components: [{ type: 'body', parameters: [{ type: 'text', text: {} }] }] }),
    ],
    ['callback data that is no text', { ...sendRequest({ to: TO }), biz_opaque_callback_data: 7 }],
  ])('of garbage is a plain 400, without a stack trace: %s', async (_what, body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBeGreaterThanOrEqual(100);
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\.js:/);
  });

  it('to the sending number itself is refused', async () => {
    await expect(fixture.send('+1 555 010 0001')).resolves.toMatchObject({
      status: 400,
      body: { error: { code: 131021 } },
    });
  });

  it('in a language that the template does not have is refused as if there was no template', async () => {
    const request = sendRequest({ to: TO, components: [HELLO] });
    const inNone = { ...(request['template'] as object), language: { code: 'xx' } };
    await expect(send({ ...request, template: inNone })).resolves.toMatchObject({
      status: 404,
      body: { error: { code: 132001 } },
    });
  });

  it('with a body that is too large is a 413', async () => {
    const { status } = await send({ text: 'x'.repeat(1_100_000) });
    expect(status).toBe(413);
  });

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['no scheme', { authorization: TOKEN }],
  ])('fails with 190 for want of the account’s token: %s', async (_what, headers) => {
    const answer = await fixture.call('POST', `/v25.0/${NUMBER}/messages`, sendRequest({ to: TO }), {
      authorization: '',
      ...headers,
    });
    expect([answer.status, answer.body.error.code]).toEqual([401, 190]);
  });

  it('fails with 190 while the token is revoked', async () => {
    await fixture.call('POST', `/control/accounts/${WABA}/token`, { revoked: true });
    await expect(fixture.send(TO)).resolves.toMatchObject({ status: 401, body: { error: { code: 190 } } });
    await fixture.call('POST', `/control/accounts/${WABA}/token`, { revoked: false });
    await expect(fixture.send(TO)).resolves.toMatchObject({ status: 200 });
  });

  it.each([`v25.0/999/messages`, `v25.0/${WABA}/messages`])(
    'from an object that is no number fails with 100: %s',
    async (path) => {
      const answer = await fixture.call('POST', `/${path}`, sendRequest({ to: TO }));
      expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
    },
  );

  it.each(['/v23/1/messages', '/nothing', '/v25.0', '/v25.0/1/2/3', '/%E0%A4%A'])(
    'to a path that does not exist gets an error of the provider’s form: %s',
    async (path) => {
      const answer = await fixture.call('POST', path, {});
      expect([answer.status, answer.body.error.type]).toEqual([400, 'OAuthException']);
    },
  );

  it('meets the fault that is set for all sends', async () => {
    const set = (mode: string) => fixture.call('POST', '/control/faults', { mode, delay: 30 });
    await set('error_500');
    await expect(fixture.send(TO)).resolves.toMatchObject({ status: 500, body: '' });
    await set('drop');
    await expect(fixture.send(TO)).rejects.toThrow('fetch failed');
    await set('slow');
    const start = Date.now();
    await expect(fixture.send(TO)).resolves.toMatchObject({ status: 200 });
    expect(Date.now() - start).toBeGreaterThanOrEqual(29);
    await expect(set('sideways')).resolves.toMatchObject({ status: 400 });
  });
});
