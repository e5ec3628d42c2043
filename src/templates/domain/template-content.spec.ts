import { describe, it, expect } from '@jest/globals';
import type { WireTemplateComponent } from '../../provider/wire.js';
import { readTemplateContent } from './template-content.js';

const body = (text: string): WireTemplateComponent[] => [{ type: 'BODY', text }];
const odd = (components: unknown) => readTemplateContent(components as WireTemplateComponent[]);

const EMPTY = {
  parameterFormat: 'POSITIONAL',
  paramsCount: 0,
  bodyParams: [],
  body: null,
  headerType: 'none',
  header: null,
  headerParams: [],
  headerNeedsLocation: false,
  headerSampleMediaUrl: null,
  footer: null,
  buttons: [],
  offerEnds: false,
  cards: [],
};

describe('the placeholders of a body', () => {
  it.each([
    ['no placeholder', 'Hello there.', []],
    ['placeholders in order', 'Hi {{1}}, order {{2}} ships.', ['1', '2']],
    ['placeholders out of order', 'Order {{2}} of {{1}} ships.', ['1', '2']],
    ['one placeholder twice', '{{1}} and again {{1}}', ['1']],
    [
      'ten placeholders',
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `{{${n}}}`).join(' - '),
      '1,2,3,4,5,6,7,8,9,10'.split(','),
    ],
    ['a gap: the highest number counts', '{{1}} then {{3}}', ['1', '2', '3']],
    ['blanks within the braces', 'Hi {{ 1 }}.', ['1']],
    ['Arabic around', 'مرحبا {{1}}، طلبك رقم {{2}} في الطريق', ['1', '2']],
    ['right-to-left marks around', '\u200Fمرحبا \u202B{{1}}\u202C!', ['1']],
    ['emoji around', '👋🏽{{1}}🎉{{2}}👨‍👩‍👧', ['1', '2']],
    ['adjacent placeholders', '{{1}}{{2}}', ['1', '2']],
    ['three braces', 'a {{{1}}} b', ['1']],
    ['single braces', 'a {1} and {2} b', []],
    ['half-open braces', '{{1} {1}} {{ }} {{}} {{1', []],
    ['what is neither number nor name', '{{1.5}} {{-1}} {{a-b}} {{1a}}', []],
    ['a number beyond any body', '{{99999999}}', []],
    ['zero, which is no position', '{{0}}', []],
  ])('are read with %s', (_case, text, expected) => {
    const content = readTemplateContent(body(text));
    expect(content).toMatchObject({ body: text, bodyParams: expected, paramsCount: expected.length });
  });

  it.each([
    [
      'names in the order they appear',
      'Order {{order_id}} of {{customer}} ({{order_id}})',
      ['order_id', 'customer'],
    ],
    ['numbers in a named template, which are no names', 'Order {{order_id}} {{1}}', ['order_id']],
  ])('are read with %s', (_case, text, expected) => {
    const content = readTemplateContent(body(text), 'NAMED');
    expect(content).toMatchObject({
      parameterFormat: 'NAMED',
      bodyParams: expected,
      paramsCount: expected.length,
    });
  });

  it('tell the parameter format when none is stored', () => {
    expect(readTemplateContent(body('Order {{order_id}}')).parameterFormat).toBe('NAMED');
    expect(readTemplateContent(body('Order {{1}}')).parameterFormat).toBe('POSITIONAL');
    expect(readTemplateContent(body('Order')).parameterFormat).toBe('POSITIONAL');
  });
});

describe('the header', () => {
  const url = 'https://scontent.example/sample.jpg?x=1';

  it.each(['IMAGE', 'VIDEO', 'DOCUMENT'] as const)('of format %s has a sample and no text', (format) => {
    const [header, example] = ['ignored', { header_handle: [url, 'https://other.example'] }];
    expect(readTemplateContent([{ type: 'HEADER', format, text: header, example }])).toEqual({
      ...EMPTY,
      headerType: format.toLowerCase(),
      headerSampleMediaUrl: url,
    });
  });

  it('of format TEXT has a text, its placeholder and no sample', () => {
    const example = { header_text: ['Ada'], header_handle: [url] };
    expect(readTemplateContent([{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example }])).toEqual({
      ...EMPTY,
      headerType: 'text',
      header: 'Hi {{1}}',
      headerParams: ['1'],
    });
  });

  it('of format LOCATION counts as none, and says that it needs a location', () => {
    const content = readTemplateContent([{ type: 'HEADER', format: 'LOCATION' }]);
    expect(content).toEqual({ ...EMPTY, headerNeedsLocation: true });
  });

  it.each([
    ['an unknown format', { format: 'HOLOGRAM', text: 'x' }, { headerType: 'none', header: null }],
    [
      'an upload handle for a sample',
      { format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
      { headerSampleMediaUrl: null },
    ],
    ['no sample', { format: 'VIDEO' }, { headerType: 'video', headerSampleMediaUrl: null }],
    [
      'a sample list that is text',
      { format: 'VIDEO', example: { header_handle: url } },
      { headerSampleMediaUrl: null },
    ],
  ])('with %s is read as far as possible', (_case, header, expected) => {
    expect(odd([{ type: 'HEADER', ...header }])).toMatchObject(expected);
  });
});

describe('the buttons', () => {
  it('keep their order and say which of them need a URL variable', () => {
    const { buttons } = readTemplateContent([
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' },
          { type: 'URL', text: 'Home', url: 'https://shop.example/' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+971501234567' },
          { type: 'COPY_CODE', example: ['SAVE20'] },
        ],
      },
    ]);
    expect(buttons.map(({ index, type, hasUrlVariable }) => [index, type, hasUrlVariable])).toEqual([
      [0, 'QUICK_REPLY', false],
      [1, 'URL', true],
      [2, 'URL', false],
      [3, 'PHONE_NUMBER', false],
      [4, 'COPY_CODE', false],
    ]);
    expect(buttons[1]).toMatchObject({ text: 'Shop', url: 'https://shop.example/{{1}}' });
  });

  it.each([
    ['as it is created', { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }],
    [
      'as the provider lists it',
      { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}' },
    ],
    [
      'listed without its variable',
      { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP' },
    ],
  ])('of an authentication template need the code, %s', (_case, button) => {
    const { buttons } = readTemplateContent([{ type: 'BUTTONS', buttons: [button] }]);
    expect(buttons[0]?.hasUrlVariable).toBe(true);
  });
});

describe('a template', () => {
  it('has the text of its footer', () => {
    expect(readTemplateContent([{ type: 'FOOTER', text: 'Reply STOP' }])).toEqual({
      ...EMPTY,
      footer: 'Reply STOP',
    });
  });

  it('for authentication has the code as its one parameter before the provider has written its body', () => {
    const content = readTemplateContent([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
    expect(content).toMatchObject({ body: null, paramsCount: 1, bodyParams: ['1'], footer: null });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'BODY'],
    ['an object', { type: 'BODY' }],
    ['empty entries', [null, undefined, 7, 'x', []]],
    [
      'components without fields',
      [{}, { type: 'BODY' }, { type: 'HEADER' }, { type: 'FOOTER' }, { type: 'BUTTONS' }],
    ],
    [
      'fields of wrong types',
      [
        { type: 7 },
        { type: 'BODY', text: 7 },
        { type: 'HEADER', format: [], example: null },
        { type: 'BUTTONS', buttons: {} },
      ],
    ],
  ])('stored as %s is read as empty', (_case, components) => {
    expect(odd(components)).toEqual(EMPTY);
  });

  it('with malformed buttons keeps the place of each button', () => {
    const { buttons } = odd([
      {
        type: 'BUTTONS',
        buttons: [null, { type: 7, url: 7 }, { type: 'url', url: 'https://x.example/{{1}}' }],
      },
    ]);
    expect(buttons.map(({ index, type, hasUrlVariable }) => [index, type, hasUrlVariable])).toEqual([
      [0, '', false],
      [1, '', false],
      [2, 'URL', true],
    ]);
  });
});
