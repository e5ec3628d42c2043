import { describe, expect, it } from '@jest/globals';
import type { WireComponent, WireTemplate, WireTemplateButton } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { checkParameters } from './parameter-check.js';
import { bodyParameters, template } from './spec-support.js';

const HELLO = bodyParameters('Ada');
const BODY = { type: 'BODY', text: 'Hello there, {{1}}.' };
const withButton = (button: WireTemplateButton) => [BODY, { type: 'BUTTONS', buttons: [button] }];
const button = (sub_type: string, ...parameters: object[]) => ({
  type: 'button',
  sub_type,
  index: '0',
  parameters,
});
const text = (value: unknown) => ({ type: 'text', text: value });

/** The code with which a send of these components is refused; undefined when it is taken. */
function codeFor(stored: object[], sent: unknown[], more: Partial<WireTemplate> = {}): number | undefined {
  const whole = { id: '1', ...template('checked', { components: stored as never, ...more }) };
  try {
    checkParameters(whole, sent as WireComponent[], { isMedia: (id) => id === 'known' });
    return undefined;
  } catch (error) {
    if (error instanceof GraphError) return error.code;
    throw error;
  }
}

describe('The parameters of a button', () => {
  const URL_BUTTON = { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' };
  const STATIC = { ...URL_BUTTON, url: 'https://shop.example/' };

  it.each<[string, WireTemplateButton, object[], number | undefined]>([
    ['a URL with its variable', URL_BUTTON, [button('url', text('7'))], undefined],
    ['a URL without its component', URL_BUTTON, [], 131008],
    ['a URL without its parameter', URL_BUTTON, [button('url')], 131008],
    ['a URL with an empty variable', URL_BUTTON, [button('url', text(''))], 131008],
    ['a URL with two parameters', URL_BUTTON, [button('url', text('7'), text('8'))], 132000],
    ['a URL with a payload', URL_BUTTON, [button('url', { type: 'payload', payload: 'x' })], 132012],
    ['a URL twice', URL_BUTTON, [button('url', text('7')), button('url', text('7'))], 100],
    ['a URL as a quick reply', URL_BUTTON, [button('quick_reply', text('7'))], 132012],
    ['a URL without a variable', STATIC, [], undefined],
    ['a URL with a variable too many', STATIC, [button('url', text('7'))], 132000],
    ['a one-time code', { type: 'OTP' }, [button('url', text('123456'))], undefined],
    ['a one-time code that is missing', { type: 'OTP' }, [], 131008],
    ['a quick reply', { type: 'QUICK_REPLY' }, [], undefined],
    [
      'a quick reply with its payload',
      { type: 'QUICK_REPLY' },
      [button('quick_reply', { type: 'payload', payload: 'x' })],
      undefined,
    ],
    [
      'a quick reply with an empty payload',
      { type: 'QUICK_REPLY' },
      [button('quick_reply', { type: 'payload' })],
      131008,
    ],
    [
      'a coupon code',
      { type: 'COPY_CODE' },
      [button('copy_code', { type: 'coupon_code', coupon_code: 'X' })],
      undefined,
    ],
    ['a coupon code that is missing', { type: 'COPY_CODE' }, [], 131008],
    ['a coupon code as a text', { type: 'COPY_CODE' }, [button('copy_code', text('X'))], 132012],
    ['a flow', { type: 'FLOW' }, [button('flow', { type: 'action', action: {} })], undefined],
    ['a flow without an action', { type: 'FLOW' }, [], 131008],
    [
      'a flow whose action is no object',
      { type: 'FLOW' },
      [button('flow', { type: 'action', action: 'x' })],
      131008,
    ],
    ['a catalog', { type: 'CATALOG' }, [button('catalog', { type: 'action', action: {} })], undefined],
    ['a catalog without an action', { type: 'CATALOG' }, [], 131008],
    ['products', { type: 'MPM' }, [button('mpm', { type: 'action', action: { sections: [] } })], undefined],
    ['products that are missing', { type: 'MPM' }, [], 131008],
    ['a call button', { type: 'PHONE_NUMBER' }, [], undefined],
    ['a call button with a parameter', { type: 'PHONE_NUMBER' }, [button('url', text('x'))], 100],
  ])('%s', (_what, stored, sent, code) => {
    expect(codeFor(withButton(stored), [HELLO, ...sent])).toBe(code);
  });
});

describe('The parameters of a header, body, offer or carousel', () => {
  const IMAGE = { type: 'HEADER', format: 'IMAGE' };
  const image = (media: object) => ({ type: 'header', parameters: [{ type: 'image', image: media }] });
  const currency = (value: object) => ({ type: 'body', parameters: [{ type: 'currency', currency: value }] });
  const OFFER = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { has_expiration: true } };
  const offer = (end: unknown) => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: end } }],
  });
  const CAROUSEL = { type: 'CAROUSEL', cards: [{ components: [IMAGE] }, { components: [IMAGE] }] };
  const cards = (...indexes: number[]) => ({
    type: 'carousel',
    cards: indexes.map((card_index) => ({ card_index, components: [image({ id: 'known' })] })),
  });

  it.each<[string, object[], unknown[], number | undefined]>([
    ['an image that was uploaded', [IMAGE, BODY], [image({ id: 'known' }), HELLO], undefined],
    ['an image of an unknown id', [IMAGE, BODY], [image({ id: '7' }), HELLO], 131053],
    ['two headers', [IMAGE, BODY], [image({ id: 'known' }), image({ id: 'known' }), HELLO], 100],
    ['two bodies', [BODY], [HELLO, HELLO], 100],
    ['a text that is a number', [BODY], [{ type: 'body', parameters: [text(7)] }], 131008],
    [
      'a date',
      [BODY],
      [{ type: 'body', parameters: [{ type: 'date_time', date_time: { fallback_value: 'now' } }] }],
      undefined,
    ],
    [
      'a date without its text',
      [BODY],
      [{ type: 'body', parameters: [{ type: 'date_time', date_time: {} }] }],
      131008,
    ],
    ['an amount', [BODY], [currency({ fallback_value: '$7', code: 'USD', amount_1000: 7000 })], undefined],
    [
      'an amount without its currency',
      [BODY],
      [currency({ fallback_value: '$7', amount_1000: 7000 })],
      131008,
    ],
    ['an amount without its sum', [BODY], [currency({ fallback_value: '$7', code: 'USD' })], 131008],
    ['an offer', [BODY, OFFER], [HELLO, offer(4_102_444_800_000)], undefined],
    ['an offer without its end', [BODY, OFFER], [HELLO], 131008],
    ['an offer whose end is a text', [BODY, OFFER], [HELLO, offer('tomorrow')], 131008],
    ['an offer that the template has not', [BODY], [HELLO, offer(1)], 132000],
    ['a carousel', [BODY, CAROUSEL], [HELLO, cards(1, 0)], undefined],
    ['a carousel without cards', [BODY, CAROUSEL], [HELLO], 132000],
    ['a card too many', [BODY, CAROUSEL], [HELLO, cards(0, 1, 2)], 132000],
    ['a card twice', [BODY, CAROUSEL], [HELLO, cards(0, 0)], 131008],
    ['cards that the template has not', [BODY], [HELLO, cards(0)], 132000],
  ])('%s', (_what, stored, sent, code) => {
    expect(codeFor(stored, sent)).toBe(code);
  });
});
