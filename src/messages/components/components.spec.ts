import { describe, it, expect } from '@jest/globals';
import { ApiError } from '../../common/errors.js';
import type { WireComponent, WireTemplateComponent } from '../../provider/wire.js';
import { readTemplateContent } from '../../templates/domain/template-content.js';
import type { TemplateParameters } from './component-shape.js';
import { buildComponents, checkShape } from './components.js';

const NAME = 'order_update';
const text = (value: string) => ({ type: 'text', text: value });
const body = (...texts: string[]): WireComponent => ({
  type: 'body',
  parameters: texts.map((value) => text(value)),
});
const header = (...parameters: NonNullable<WireComponent['parameters']>): WireComponent => ({
  type: 'header',
  parameters,
});
const url = (index: string | number, ...texts: string[]): WireComponent => ({
  type: 'button',
  sub_type: 'url',
  index,
  parameters: texts.map((value) => text(value)),
});
const image = (link: string) => header({ type: 'image', image: { link } });
const IMAGE = image('https://cdn.example/a.jpg');

const template = (...components: WireTemplateComponent[]) => readTemplateContent(components);
const bodyOf = (count: number): WireTemplateComponent => ({
  type: 'BODY',
  text: Array.from({ length: count }, (_, i) => `x {{${i + 1}}} y`).join(' '),
});
const headerOf = (format: string, value?: string): WireTemplateComponent => ({
  type: 'HEADER',
  format,
  text: value,
});
const buttonsOf = (...buttons: { type: string; url?: string }[]): WireTemplateComponent => ({
  type: 'BUTTONS',
  buttons,
});
const DYNAMIC = { type: 'URL', url: 'https://shop.example/{{1}}' };
const STATIC = { type: 'URL', url: 'https://shop.example/' };
const REPLY = { type: 'QUICK_REPLY' };
const NAMED = readTemplateContent(
  [headerOf('TEXT', 'Hi {{customer}}'), { type: 'BODY', text: 'Order {{order_id}} goes to {{city}}.' }],
  'NAMED',
);
const NAMED_HEADER = header({ type: 'text', parameter_name: 'customer', text: 'Ada' });
const named = (...pairs: [string, string][]): WireComponent => ({
  type: 'body',
  parameters: pairs.map(([parameter_name, value]) => ({ type: 'text', parameter_name, text: value })),
});

const one = (parameter: unknown) => ({ components: [{ type: 'header', parameters: [parameter] }] });
const at = (place: string) => `data.components${place}`;

function faultOf(content: ReturnType<typeof template>, data: unknown): ApiError {
  try {
    checkShape(data as TemplateParameters);
    buildComponents(content, NAME, data as TemplateParameters);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

const CAROUSEL = {
  type: 'CAROUSEL',
  cards: [
    {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        bodyOf(1),
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://x.example/{{1}}' }] },
      ],
    },
  ],
} as WireTemplateComponent;

describe('what fits the template is sent', () => {
  it.each<[string, ReturnType<typeof template>, TemplateParameters, WireComponent[]]>([
    ['nothing for a template without parameters', template(bodyOf(0)), {}, []],
    ['nothing for empty lists', template(bodyOf(0)), { components: [], params: [] }, []],
    ['nothing for nulls', template(bodyOf(0)), { components: null, params: null }, []],
    ['nothing for a body without parameters', template(bodyOf(0)), { components: [body()] }, []],
    ['nothing for a header that says nothing', template(bodyOf(0)), { components: [{ type: 'header' }] }, []],
    ['a body component', template(bodyOf(2)), { components: [body('a', 'b')] }, [body('a', 'b')]],
    ['params as a body component', template(bodyOf(2)), { params: ['a', 'b'] }, [body('a', 'b')]],
    [
      'params between a header and a button',
      template(headerOf('IMAGE'), bodyOf(1), buttonsOf(DYNAMIC)),
      { components: [url(0, 'x'), IMAGE], params: ['a'] },
      [IMAGE, body('a'), url('0', 'x')],
    ],
    [
      'an uploaded medium',
      template(headerOf('VIDEO')),
      { components: [header({ type: 'video', video: { id: '12' } })] },
      [header({ type: 'video', video: { id: '12' } })],
    ],
    [
      'a document with its file name',
      template(headerOf('DOCUMENT')),
      {
        components: [
          header({ type: 'document', document: { link: 'http://x.example/a.pdf', filename: 'a.pdf' } }),
        ],
      },
      [header({ type: 'document', document: { link: 'http://x.example/a.pdf', filename: 'a.pdf' } })],
    ],
    [
      'a text header',
      template(headerOf('TEXT', 'Hi {{1}}')),
      { components: [header(text('Ada'))] },
      [header(text('Ada'))],
    ],
    ['a text header without placeholder', template(headerOf('TEXT', 'Hi')), {}, []],
    [
      'a location header',
      template(headerOf('LOCATION')),
      { components: [header({ type: 'location', location: { latitude: '25.2', longitude: 55.3 } })] },
      [header({ type: 'location', location: { latitude: '25.2', longitude: 55.3 } })],
    ],
    [
      'a button whose index is a number',
      template(buttonsOf(REPLY, DYNAMIC)),
      { components: [url(1, 'x')] },
      [url('1', 'x')],
    ],
    [
      'a button whose index is numeric text',
      template(buttonsOf(DYNAMIC)),
      { components: [url('00', 'x')] },
      [url('0', 'x')],
    ],
    [
      'named parameters in any order',
      NAMED,
      { components: [NAMED_HEADER, named(['city', 'Dubai'], ['order_id', '7'])] },
      [NAMED_HEADER, named(['city', 'Dubai'], ['order_id', '7'])],
    ],
    [
      'params of a named template by position',
      NAMED,
      { components: [NAMED_HEADER], params: ['7', 'Dubai'] },
      [NAMED_HEADER, named(['order_id', '7'], ['city', 'Dubai'])],
    ],
  ])('%s', (_case, content, data, expected) => {
    expect(buildComponents(content, NAME, data)).toEqual(expected);
  });

  it('as it came, for every kind of component and parameter', () => {
    const content = template(
      headerOf('TEXT', 'x {{1}}'),
      bodyOf(3),
      buttonsOf(REPLY, { type: 'COPY_CODE' }, { type: 'FLOW' }, { type: 'CATALOG' }),
      { type: 'LIMITED_TIME_OFFER' },
      CAROUSEL,
    );
    const components: WireComponent[] = [
      header({ type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1000 } }),
      {
        type: 'body',
        parameters: [
          text('a'),
          { type: 'date_time', date_time: { fallback_value: 'today' } },
          { type: 'currency' },
        ],
      },
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '0',
        parameters: [{ type: 'payload', payload: 'yes' }],
      },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '1',
        parameters: [{ type: 'coupon_code', coupon_code: 'A' }],
      },
      {
        type: 'button',
        sub_type: 'flow',
        index: '2',
        parameters: [{ type: 'action', action: { flow_token: 't' } }],
      },
      {
        type: 'button',
        sub_type: 'catalog',
        index: '3',
        parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'p' } }],
      },
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
      },
      { type: 'carousel', cards: [{ card_index: 0, components: [IMAGE, body('x'), url('0', 'y')] }] },
    ];
    expect(buildComponents(content, NAME, { components })).toEqual(components);
  });

  it('with the index of a carousel button as text, and without changing the request', () => {
    const components: WireComponent[] = [
      { type: 'carousel', cards: [{ card_index: 0, components: [IMAGE, body('x'), url(0, 'y')] }] },
    ];
    const before = structuredClone(components);
    const [carousel] = buildComponents(template(bodyOf(0), CAROUSEL), NAME, { components });
    expect(carousel?.cards?.[0]?.components).toEqual([IMAGE, body('x'), url('0', 'y')]);
    expect(components).toEqual(before);
  });
});

describe('header media is required', () => {
  it.each([
    ['no components', {}],
    ['an empty list', { components: [] }],
    ['params alone', { params: [] }],
    ['another component only', { components: [body('a')] }],
    ['a header without parameters', { components: [{ type: 'header' }] }],
    ['a header with an empty list', { components: [{ type: 'header', parameters: [] }] }],
    ['a text', one(text('x'))],
    ['media of another kind', one({ type: 'video', video: { link: 'https://x.example/a.mp4' } })],
    ['a type without its object', one({ type: 'image' })],
    ['null for the object', one({ type: 'image', image: null })],
    ['text for the object', one({ type: 'image', image: 'https://x.example/a.jpg' })],
    ['neither link nor id', one({ type: 'image', image: {} })],
    ['both link and id', one({ type: 'image', image: { link: 'https://x.example/a.jpg', id: '1' } })],
    ['an empty link', one({ type: 'image', image: { link: '' } })],
    ['an empty id', one({ type: 'image', image: { id: ' ' } })],
    ['an id that is a number', one({ type: 'image', image: { id: 12 } })],
    ['an FTP link', one({ type: 'image', image: { link: 'ftp://x.example/a.jpg' } })],
    ['a relative link', one({ type: 'image', image: { link: '/a.jpg' } })],
    ['a data link', one({ type: 'image', image: { link: 'data:image/png;base64,AA' } })],
    ['a link with a blank', one({ type: 'image', image: { link: 'https://x.example/a b.jpg' } })],
    ['a link without a host', one({ type: 'image', image: { link: 'https://' } })],
  ])('and reported as missing for %s', (_case, data) => {
    expect(faultOf(template(headerOf('IMAGE'), bodyOf(0)), data)).toMatchObject({
      code: 'TEMPLATE_HEADER_MEDIA_REQUIRED',
      status: 422,
    });
  });

  it('and reported before a wrong count, with what to do', () => {
    const { code, message, details } = faultOf(template(headerOf('IMAGE'), bodyOf(2)), {
      components: [body('a')],
    });
    expect([code, details]).toEqual([
      'TEMPLATE_HEADER_MEDIA_REQUIRED',
      [{ field: 'data.components', expected: 'image' }],
    ]);
    expect(message).toBe(
      'Template order_update needs an image in a header component, by link or id; the request has no header component.',
    );
  });
});

describe('a mismatch is reported with its place and numbers', () => {
  it('in the words of the documentation', () => {
    const { code, message, details } = faultOf(template(bodyOf(2)), { components: [body('a', 'b', 'c')] });
    expect(code).toBe('TEMPLATE_PARAMS_MISMATCH');
    expect(message).toBe(
      'Template order_update has 2 placeholders, the body component carries 3 parameters.',
    );
    expect(details).toEqual([{ field: 'data.components[0].parameters', expected: 2, actual: 3 }]);
  });

  const shop = template(bodyOf(0), buttonsOf(REPLY, DYNAMIC, STATIC));
  const otp = template(bodyOf(1), buttonsOf({ type: 'OTP' }));

  it.each<[string, ReturnType<typeof template>, unknown, unknown[]]>([
    ['no body', template(bodyOf(1)), {}, [at(''), 1, 0]],
    ['an empty body', template(bodyOf(1)), { components: [body()] }, [at('[0].parameters'), 1, 0]],
    [
      'a body without a list',
      template(bodyOf(1)),
      { components: [{ type: 'body' }] },
      [at('[0].parameters'), 1, 0],
    ],
    [
      'a body that the template does not fill',
      template(bodyOf(0)),
      { components: [body('a')] },
      [at('[0].parameters'), 0, 1],
    ],
    ['too few params', template(bodyOf(2)), { params: ['a'] }, ['data.params', 2, 1]],
    ['too many params', template(bodyOf(0)), { params: ['a'] }, ['data.params', 0, 1]],
    ['no params', template(bodyOf(2)), { params: [] }, ['data.params', 2, 0]],
    ['a text header left out', template(headerOf('TEXT', 'x {{1}}')), {}, [at(''), 1, 0]],
    [
      'a text header filled twice',
      template(headerOf('TEXT', 'x {{1}}')),
      { components: [header(text('a'), text('b'))] },
      [at('[0].parameters'), 1, 2],
    ],
    [
      'an image for a text header',
      template(headerOf('TEXT', 'x {{1}}')),
      { components: [IMAGE] },
      [at('[0].parameters[0].type'), ['text', 'currency', 'date_time'], 'image'],
    ],
    [
      'a header that takes nothing',
      template(headerOf('TEXT', 'x')),
      { components: [header(text('a'))] },
      [at('[0].parameters'), 0, 1],
    ],
    [
      'a header where the template has none',
      template(bodyOf(0)),
      { components: [body(), IMAGE] },
      [at('[1].parameters'), 0, 1],
    ],
    [
      'two media',
      template(headerOf('IMAGE')),
      { components: [header(...IMAGE.parameters!, ...IMAGE.parameters!)] },
      [at('[0].parameters'), 1, 2],
    ],
    ['a location left out', template(headerOf('LOCATION')), {}, [at(''), 1, 0]],
    [
      'a text for a location',
      template(headerOf('LOCATION')),
      { components: [header(text('a'))] },
      [at('[0].parameters[0].type'), ['location'], 'text'],
    ],
    ['a URL button with two texts', shop, { components: [url(1, 'a', 'b')] }, [at('[0].parameters'), 1, 2]],
    [
      'a URL button without text',
      shop,
      { components: [{ type: 'button', sub_type: 'url', index: 1 }] },
      [at('[0].parameters'), 1, 0],
    ],
    [
      'a URL button with a payload',
      shop,
      { components: [{ type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'payload' }] }] },
      [at('[0].parameters[0].type'), 'text', 'payload'],
    ],
    [
      'a URL button called quick_reply',
      shop,
      { components: [{ ...url(1, 'a'), sub_type: 'quick_reply' }] },
      [at('[0].sub_type'), 'url', 'quick_reply'],
    ],
    [
      'a text for a static URL',
      shop,
      { components: [url(1, 'a'), url(2, 'b')] },
      [at('[1].parameters'), 0, 1],
    ],
    [
      'a text for a button that is not there',
      template(bodyOf(0)),
      { components: [url(0, 'a')] },
      [at('[0].parameters'), 0, 1],
    ],
  ])('for %s', (_case, content, data, [field, expected, actual]) => {
    const { code, details } = faultOf(content, data);
    expect([code, details]).toEqual(['TEMPLATE_PARAMS_MISMATCH', [{ field, expected, actual }]]);
  });

  it.each([
    ['a URL variable', shop, {}, 1],
    ['the code of an authentication template', otp, { components: [body('123456')] }, 0],
    ['the code beside params', otp, { params: ['123456'] }, 0],
  ])('for %s without its button component', (_case, content, data, button_index) => {
    expect(faultOf(content, data).details).toEqual([
      { field: 'data.components', expected: 1, actual: 0, button_index },
    ]);
  });

  it('for named parameters that are missing, unknown, without a name or given twice', () => {
    const fault = faultOf(NAMED, { components: [NAMED_HEADER, named(['order_id', '7'], ['order_id', '8'])] });
    const names = ['order_id', 'city'];
    expect(fault.code).toBe('TEMPLATE_PARAMS_MISMATCH');
    expect(fault.message).toBe('Template order_update also needs the parameters city.');
    expect(fault.details).toEqual([
      { field: 'data.components[1].parameters', expected: 2, actual: 2, missing: ['city'] },
      { field: 'data.components[1].parameters[1].parameter_name', expected: names, actual: 'order_id' },
    ]);
    const unnamed = faultOf(NAMED, { components: [NAMED_HEADER, body('7', 'Dubai')] });
    expect(unnamed.details.map(({ actual }) => actual)).toEqual([2, null, null]);
    const unknown = faultOf(NAMED, {
      components: [header(text('Ada')), named(['order_id', '7'], ['city', 'x'])],
    });
    expect(unknown.details[0]).toMatchObject({
      field: 'data.components[0].parameters',
      missing: ['customer'],
    });
  });

  it('for every part at once', () => {
    const content = template(headerOf('TEXT', 'x {{1}}'), bodyOf(1), buttonsOf(DYNAMIC));
    expect(faultOf(content, {}).details).toHaveLength(3);
  });
});

describe('a request that contradicts itself is refused first', () => {
  it.each([
    ['an empty text', { components: [body('a', '')] }, 'data.components[0].parameters[1].text'],
    [
      'an image in the body',
      { components: [{ ...IMAGE, type: 'body' }] },
      'data.components[0].parameters[0].type',
    ],
    ['two bodies', { components: [body('a'), body('b')] }, 'data.components[1]'],
    ['two headers', { components: [IMAGE, IMAGE] }, 'data.components[1]'],
    ['two buttons of one index', { components: [url(0, 'a'), url('0', 'b')] }, 'data.components[1]'],
    ['two spellings of one index', { components: [url('01', 'a'), url(1, 'b')] }, 'data.components[1]'],
    ['a carousel without cards', { components: [{ type: 'carousel' }] }, 'data.components[0].cards'],
    [
      'a carousel in a card',
      { components: [{ type: 'carousel', cards: [{ components: [{ type: 'carousel' }] }] }] },
      'data.components[0].cards[0].components[0].type',
    ],
    [
      'an empty text in a card',
      { components: [{ type: 'carousel', cards: [{ components: [body('')] }] }] },
      'data.components[0].cards[0].components[0].parameters[0].text',
    ],
    ['params beside a body component', { components: [body('a')], params: ['a'] }, 'data.params'],
    ['empty params beside a body component', { components: [body('a')], params: [] }, 'data.params'],
    ['an empty string in params', { params: ['a', ''] }, 'data.params[1]'],
  ])('for %s', (_case, data, field) => {
    const { code, details } = faultOf(template(headerOf('IMAGE'), bodyOf(1)), data);
    expect([code, details.map((detail) => detail.field)]).toEqual(['VALIDATION_FAILED', [field]]);
  });
});
