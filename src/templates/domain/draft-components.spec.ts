import { describe, it, expect } from '@jest/globals';
import type { WireTemplateComponent } from '../../provider/wire.js';
import { toComponents } from './draft-components.js';
import { fromTemplate } from './draft-from-template.js';
import { emptyDraft, type DraftHeader, type TemplateDraft } from './template-draft.js';

const draft = (changes: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...emptyDraft(),
  name: 'order_update',
  language: 'en_US',
  body: 'Your order is on its way.',
  ...changes,
});
const header = (changes: Partial<DraftHeader>): DraftHeader => ({ ...emptyDraft().header, ...changes });

const full = draft({
  category: 'MARKETING',
  header: header({ kind: 'text', text: 'Sale for {{1}}', text_sample: 'Ana' }),
  body: 'Hi {{1}}, save {{2}} today.',
  body_samples: { 1: 'Ana', 2: '20%' },
  footer: 'Reply STOP to opt out',
  buttons: [
    { type: 'quick_reply', text: 'Stop' },
    { type: 'url', text: 'Shop', url: 'https://shop.example/{{1}}', sample: 'summer' },
    { type: 'url', text: 'About us', url: 'https://shop.example', sample: '' },
    { type: 'phone_number', text: 'Call', phone_number: '+14155550123' },
    { type: 'copy_code', sample: 'SAVE20' },
  ],
});

const stored = (components: WireTemplateComponent[], changes: object = {}) =>
  fromTemplate({ name: 'order_update', language: 'en_US', category: 'UTILITY', components, ...changes });

describe('The components of a draft', () => {
  it('are those that the provider takes, with their samples', () => {
    expect(toComponents(full)).toEqual([
      { type: 'HEADER', format: 'TEXT', text: 'Sale for {{1}}', example: { header_text: ['Ana'] } },
      { type: 'BODY', text: 'Hi {{1}}, save {{2}} today.', example: { body_text: [['Ana', '20%']] } },
      { type: 'FOOTER', text: 'Reply STOP to opt out' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Stop' },
          { type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}', example: ['summer'] },
          { type: 'URL', text: 'About us', url: 'https://shop.example' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+14155550123' },
          { type: 'COPY_CODE', example: 'SAVE20' },
        ],
      },
    ]);
  });

  it('are a body alone when there is nothing else', () => {
    expect(toComponents(draft({ body: ' Thank you. \n', footer: ' ' }))).toEqual([
      { type: 'BODY', text: 'Thank you.' },
    ]);
  });

  it('name their samples in a template of named placeholders', () => {
    const named = draft({
      parameter_format: 'NAMED',
      header: header({ kind: 'text', text: 'Order {{id}}', text_sample: '7' }),
      body: 'Hi {{first_name}}.',
      body_samples: { first_name: 'Ana' },
    });
    expect(toComponents(named).map(({ example }) => example)).toEqual([
      { header_text_named_params: [{ param_name: 'id', example: '7' }] },
      { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
    ]);
  });

  it('have the uploaded sample of a medium, not the one that it replaces', () => {
    const media = header({ kind: 'video', media_handle: '4::aW', media_url: 'https://media.example/a.mp4' });
    expect(toComponents(draft({ header: media }))[0]).toEqual({
      type: 'HEADER',
      format: 'VIDEO',
      example: { header_handle: ['4::aW'] },
    });
  });

  it('have a phone number without the blanks and dashes that people write', () => {
    const phone = { type: 'phone_number', text: 'Call', phone_number: '+1 (415) 555-0123' } as const;
    expect(toComponents(draft({ buttons: [phone] }))[1]?.buttons?.[0]?.phone_number).toBe('+14155550123');
  });

  it('have nothing but the choices for an authentication template', () => {
    const authentication = {
      add_security_recommendation: true,
      code_expiration_minutes: 10,
      button_text: 'Copy',
    };
    expect(toComponents(draft({ category: 'AUTHENTICATION', authentication }))).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
    ]);
  });
});

describe('A draft that is read back from its components is the same', () => {
  const url = 'https://media.example/a';
  it.each<[string, TemplateDraft]>([
    ['with everything', full],
    ['with a body alone', draft()],
    ['with a location', draft({ header: header({ kind: 'location' }) })],
    ['with an upload', draft({ header: header({ kind: 'document', media_handle: '4::aW' }) })],
    ['with an image', draft({ header: header({ kind: 'image', media_url: url }) })],
    [
      'with a placeholder twice',
      draft({ body: 'a {{2}} b {{1}} c {{2}} d', body_samples: { 1: 'x', 2: 'y' } }),
    ],
    [
      'with names',
      draft({
        parameter_format: 'NAMED',
        header: header({ kind: 'text', text: 'Order {{id}}', text_sample: '7' }),
        body: 'Hi {{first_name}} of {{city}}.',
        body_samples: { first_name: 'Ana', city: 'Lima' },
      }),
    ],
    [
      'as an authentication template',
      draft({
        category: 'AUTHENTICATION',
        body: '',
        authentication: {
          add_security_recommendation: false,
          code_expiration_minutes: 5,
          button_text: 'Copy code',
        },
      }),
    ],
  ])('%s', (_what, original) => {
    const { name, language, category, parameter_format } = original;
    const components = toComponents(original);
    const result = fromTemplate({ name, language, category, parameter_format, components });
    expect(result).toEqual({ draft: original, unsupported: [] });
  });
});

describe('The draft of a stored template', () => {
  it('is that of an authentication template as the provider lists it', () => {
    const otp = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
    const { draft: read, unsupported } = stored(
      [
        { type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: true },
        { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url: otp, example: [otp] }] },
      ],
      { category: 'AUTHENTICATION' },
    );
    expect(unsupported).toEqual([]);
    expect(read).toMatchObject({ body: '', footer: '', buttons: [], body_samples: {} });
    expect(read.authentication).toEqual({
      add_security_recommendation: true,
      code_expiration_minutes: 10,
      button_text: 'Copy code',
    });
  });

  it('has the variable of a URL as its sample when the example is the whole URL', () => {
    const button = {
      type: 'URL',
      text: 'Shop',
      url: 'https://shop.example/{{1}}',
      example: ['https://shop.example/summer'],
    };
    const { draft: read } = stored([{ type: 'BUTTONS', buttons: [button] }]);
    expect(read.buttons).toEqual([
      { type: 'url', text: 'Shop', url: 'https://shop.example/{{1}}', sample: 'summer' },
    ]);
  });

  it('tells what an edit would drop', () => {
    const { unsupported } = stored([
      { type: 'HEADER', format: 'PRODUCT' },
      { type: 'BODY', text: 'Hello.' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Hi' },
          { type: 'FLOW', text: 'Start' },
        ],
      },
      { type: 'CAROUSEL', cards: [] },
    ]);
    expect(unsupported).toEqual(['HEADER PRODUCT', 'CAROUSEL', 'FLOW']);
  });

  it('tells that a one-tap code button would be dropped', () => {
    const buttons = [{ type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', package_name: 'com.example' }];
    const components = [{ type: 'BODY' }, { type: 'BUTTONS', buttons }];
    expect(stored(components, { category: 'AUTHENTICATION' }).unsupported).toEqual(['OTP']);
  });

  it.each([
    ['nothing', null],
    ['entries that are no objects', [null, 7, 'BODY']],
    [
      'fields of other types',
      [
        { type: 'BODY', text: 7, example: { body_text: 'x' } },
        { type: 'BUTTONS', buttons: {} },
      ],
    ],
  ])('is empty for components that are %s', (_what, components) => {
    const { draft: read } = stored(components as unknown as WireTemplateComponent[]);
    expect(read).toMatchObject({ name: 'order_update', body: '', buttons: [], header: { kind: 'none' } });
  });
});
