import { describe, it, expect } from '@jest/globals';
import { messageValues } from './message-values.js';

const header = (parameter: object) => messageValues([{ type: 'header', parameters: [parameter] }]);
const body = (...parameters: object[]) => messageValues([{ type: 'body', parameters }]);
const button = (sub_type: string, index: number | string, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});

describe('The values of a sent message', () => {
  it('include its body parameters by position', () => {
    const amount = {
      type: 'currency',
      currency: { fallback_value: '€7.50', code: 'EUR', amount_1000: 7500 },
    };
    const day = { type: 'date_time', date_time: { fallback_value: '3 May' } };
    expect(body({ type: 'text', text: 'Ana' }, amount, day)).toEqual({
      body: { 1: 'Ana', 2: '€7.50', 3: '3 May' },
    });
  });

  it('include its body parameters by name', () => {
    expect(body({ type: 'text', parameter_name: 'city', text: 'Lima' })).toEqual({ body: { city: 'Lima' } });
  });

  it.each([
    ['a text', { type: 'text', text: 'Ana' }, { text: 'Ana' }],
    [
      'an image',
      { type: 'image', image: { link: 'https://a.example/a.jpg' } },
      { mediaUrl: 'https://a.example/a.jpg' },
    ],
    ['a video of the provider', { type: 'video', video: { id: '123' } }, {}],
    [
      'a document',
      { type: 'document', document: { link: 'https://a.example/1', filename: 'bill.pdf' } },
      { mediaUrl: 'https://a.example/1', fileName: 'bill.pdf' },
    ],
    [
      'a location',
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop', address: 'Main St 1' } },
      { location: { name: 'Shop', address: 'Main St 1' } },
    ],
  ])('include its header: %s', (_what, parameter, values) =>
    expect(header(parameter)).toEqual({ header: values }),
  );

  it('include the values of its buttons, by index', () => {
    const components = [
      button('url', '0', { type: 'text', text: 'summer' }),
      button('copy_code', 2, { type: 'coupon_code', coupon_code: 'SAVE20' }),
      button('quick_reply', '3', { type: 'payload', payload: 'stop' }),
    ];
    expect(messageValues(components)).toEqual({ buttons: { 0: 'summer', 2: 'SAVE20' } });
  });

  it('include those of its cards, in order', () => {
    const card = (index: number, text: string) => ({
      card_index: index,
      components: [{ type: 'body', parameters: [{ type: 'text', text }] }],
    });
    expect(messageValues([{ type: 'carousel', cards: [card(1, 'two'), card(0, 'one')] }])).toEqual({
      cards: [{ body: { 1: 'one' } }, { body: { 1: 'two' } }],
    });
  });

  it.each([[null], ['x'], [[]], [[null, 7, { type: 'footer' }]]])('are empty for %j', (components) =>
    expect(messageValues(components)).toEqual({}),
  );
});
