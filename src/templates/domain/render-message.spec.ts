import { describe, it, expect } from '@jest/globals';
import { toComponents } from './draft-components.js';
import { draftValues } from './draft-values.js';
import { renderMessage } from './render-message.js';
import { emptyDraft, type TemplateComponent } from './template-draft.js';

const image = 'https://media.example/sample.jpg';
const media = (format: string): TemplateComponent[] => [
  { type: 'HEADER', format, example: { header_handle: [image] } },
];
const buttons = (...list: NonNullable<TemplateComponent['buttons']>): TemplateComponent[] => [
  { type: 'BUTTONS', buttons: list },
];

describe('The message of a template', () => {
  it('has values in place of those placeholders that have one', () => {
    const components = [
      { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
      { type: 'BODY', text: 'Hi {{1}}, {{2}} is here' },
      { type: 'FOOTER', text: 'Bye' },
    ];
    expect(renderMessage(components, { header: { text: 'Ana' }, body: { 1: 'Ana' } })).toMatchObject({
      header: { kind: 'text', text: 'For Ana' },
      body: 'Hi Ana, {{2}} is here',
      footer: 'Bye',
    });
  });

  it('has the sample media only when the sent media are not known', () => {
    expect(renderMessage(media('IMAGE')).header).toEqual({ kind: 'image', url: image });
    expect(renderMessage(media('IMAGE'), { header: {} }).header).toEqual({ kind: 'image', url: null });
    expect(renderMessage(media('VIDEO'), { header: { mediaUrl: 'https://a.example/v' } }).header).toEqual({
      kind: 'video',
      url: 'https://a.example/v',
    });
  });

  it('names a document by its file name, or by the end of its address', () => {
    const fileName = (header?: object) => renderMessage(media('DOCUMENT'), header ? { header } : {}).header;
    expect(fileName({ fileName: 'bill.pdf' })).toEqual({
      kind: 'document',
      url: null,
      fileName: 'bill.pdf',
    });
    expect(fileName({ mediaUrl: 'https://a.example/b/c.pdf?x=1' })).toMatchObject({ fileName: 'c.pdf' });
    expect(fileName({ mediaUrl: 'https://a.example/b' })).toMatchObject({ fileName: null });
  });

  it('has the name and address of a location', () => {
    const place = { name: 'Shop', address: 'Main St 1' };
    expect(renderMessage(media('LOCATION'), { header: { location: place } }).header).toEqual({
      kind: 'location',
      ...place,
    });
  });

  it('has buttons of each kind, with their targets', () => {
    const components = buttons(
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Open', url: 'https://a.example/{{1}}' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1' },
      { type: 'COPY_CODE' },
      { type: 'FLOW', text: 'Start' },
    );
    const message = renderMessage(components, { buttons: { 1: 'summer', 3: 'SAVE20' } });
    expect(message.buttons).toEqual([
      { index: 0, kind: 'reply', label: 'Yes', target: null },
      { index: 1, kind: 'link', label: 'Open', target: 'https://a.example/summer' },
      { index: 2, kind: 'phone', label: 'Call', target: '+1' },
      { index: 3, kind: 'copy', label: 'Copy offer code', target: 'SAVE20' },
      { index: 4, kind: 'other', label: 'Start', target: null },
    ]);
  });

  it("shows the provider's link for a code as a button that copies", () => {
    const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
    const [button] = renderMessage(buttons({ type: 'URL', text: 'Copy code', url })).buttons;
    expect(button).toMatchObject({ kind: 'copy', label: 'Copy code' });
  });

  it('has the cards of a carousel, each with its values', () => {
    const card = { components: [{ type: 'BODY', text: 'Card {{1}}' }] };
    const { cards } = renderMessage([{ type: 'CAROUSEL', cards: [card, card] }], {
      cards: [{ body: { 1: 'A' } }],
    });
    expect(cards.map(({ body }) => body)).toEqual(['Card A', 'Card {{1}}']);
  });

  it.each([[null], [[null, { type: 7 }, { type: 'BUTTONS', buttons: [null] }]]])(
    'is drawn as far as it can be for %j',
    (components) => {
      expect(renderMessage(components as unknown as TemplateComponent[])).toMatchObject({
        header: null,
        body: '',
      });
    },
  );
});

describe('The message of a draft', () => {
  it('has its samples in place of placeholders', () => {
    const draft = {
      ...emptyDraft(),
      header: { ...emptyDraft().header, kind: 'image' as const, media_handle: '4::aW', media_url: image },
      body: 'Hi {{1}}, see {{2}}.',
      body_samples: { 1: 'Ana' },
      buttons: [{ type: 'url' as const, text: 'Open', url: 'https://a.example/{{1}}', sample: 'x' }],
    };
    expect(renderMessage(toComponents(draft), draftValues(draft))).toMatchObject({
      header: { kind: 'image', url: image },
      body: 'Hi Ana, see {{2}}.',
      buttons: [{ target: 'https://a.example/x' }],
    });
  });

  it("has the provider's texts for authentication", () => {
    const authentication = {
      add_security_recommendation: true,
      code_expiration_minutes: 10,
      button_text: '',
    };
    const draft = { ...emptyDraft(), category: 'AUTHENTICATION' as const, authentication };
    expect(renderMessage(toComponents(draft), draftValues(draft))).toMatchObject({
      body: '*123456* is your verification code. For your security, do not share this code.',
      footer: 'This code expires in 10 minutes.',
      buttons: [{ kind: 'copy', label: 'Copy code', target: '123456' }],
    });
  });

  it.each([
    ['es_MX', '*123456* es tu código de verificación. Por tu seguridad, no lo compartas.', 'Copiar código'],
    [
      'pt_BR',
      '*123456* é seu código de verificação. Para sua segurança, não o compartilhe.',
      'Copiar código',
    ],
    ['tlh', '*123456* is your verification code. For your security, do not share this code.', 'Copy code'],
  ])("has these in the template's language, or in English: %s", (language, body, label) => {
    const authentication = {
      add_security_recommendation: true,
      code_expiration_minutes: null,
      button_text: '',
    };
    const draft = { ...emptyDraft(), category: 'AUTHENTICATION' as const, authentication };
    const rendered = renderMessage(toComponents(draft), draftValues(draft), language);
    expect(rendered).toMatchObject({ body, footer: '', buttons: [{ label }] });
  });
});
