import { describe, it, expect } from '@jest/globals';
import { draftFaultText, hasErrors, type DraftFault } from './draft-faults.js';
import { checkDraft } from './draft-rules.js';
import { emptyDraft, type DraftButton, type DraftHeader, type TemplateDraft } from './template-draft.js';

const valid = (changes: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...emptyDraft(),
  name: 'order_update',
  language: 'en_US',
  body: 'Thank you, your order is on its way to you.',
  ...changes,
});
const header = (changes: Partial<DraftHeader>) => valid({ header: { ...emptyDraft().header, ...changes } });
const textHeader = (text: string, text_sample = '') => header({ kind: 'text', text, text_sample });
const body = (text: string, ...samples: string[]) =>
  valid({ body: text, body_samples: Object.fromEntries(samples.map((sample, i) => [`${i + 1}`, sample])) });
const buttons = (...list: DraftButton[]) => valid({ buttons: list });
const authentication = (changes: Partial<TemplateDraft['authentication']> = {}) =>
  valid({
    category: 'AUTHENTICATION',
    body: '',
    authentication: { ...emptyDraft().authentication, ...changes },
  });

const reply = (text = 'Yes'): DraftButton => ({ type: 'quick_reply', text });
const url = (address: string, sample = '', text = 'Open'): DraftButton => ({
  type: 'url',
  text,
  url: address,
  sample,
});
const phone = (number = '+1 (415) 555-0123', text = 'Call'): DraftButton => ({
  type: 'phone_number',
  text,
  phone_number: number,
});
const coupon = (sample = 'SAVE20'): DraftButton => ({ type: 'copy_code', sample });

const inShort = ({ field, code, severity }: DraftFault) =>
  severity === 'error' ? `${field}: ${code}` : `${field}: ${code} (warning)`;
const faultsOf = (draft: TemplateDraft) => checkDraft(draft).map(inShort);

describe('A draft has no fault', () => {
  it.each<[string, TemplateDraft]>([
    ['with a body alone', valid()],
    ['with a name of 512 characters', valid({ name: 'a'.repeat(512) })],
    ['with a body of 1,024 characters', body('a'.repeat(1024))],
    ['with a body of 1,024 emoji, each of which is one character', body('🎉'.repeat(1024))],
    ['with blanks around a body of 1,024 characters', body(`\n${'a'.repeat(1024)}  `)],
    ['with placeholders and their samples', body('Hi {{1}}, order {{2}} is on its way to you.', 'Ana', '7')],
    ['with a placeholder twice', body('Hi {{1}}, is {{1}} really your name? Tell us.', 'Ana')],
    ['with an Arabic body', body('مرحبا {{1}}، طلبك رقم {{2}} في الطريق إليك الآن', 'سارة', '7')],
    ['with two line breaks in a row', body('Hello,\n\nyour order is here.')],
    ['with a text header', textHeader('Order {{1}}', '7')],
    ['with a header of 60 characters', textHeader('a'.repeat(60))],
    ['with an uploaded image', header({ kind: 'image', media_handle: '4::aW' })],
    ['with the image it had', header({ kind: 'image', media_url: 'https://media.example/a.jpg' })],
    ['with a location', header({ kind: 'location' })],
    ['with text left over from another kind of header', header({ kind: 'none', text: 'x'.repeat(99) })],
    ['with a footer of 60 characters', valid({ footer: 'a'.repeat(60) })],
    ['with a URL variable at its end', buttons(url('https://shop.example/{{1}}', 'summer'))],
    ['with a label of 25 characters', buttons(reply('a'.repeat(25)))],
    ['with ten quick replies', buttons(...Array.from({ length: 10 }, (_, i) => reply(`Answer ${i}`)))],
    [
      'with every kind of button',
      buttons(
        reply(),
        reply('No'),
        url('https://a.example'),
        url('https://b.example', '', 'Go'),
        phone(),
        coupon(),
      ),
    ],
    ['as an authentication template', authentication()],
    ['that lives for 30 seconds', valid({ message_send_ttl_seconds: 30 })],
    ['that lives for 12 hours', valid({ message_send_ttl_seconds: 43_200 })],
    ['that lives for 30 days, by the value of its own', valid({ message_send_ttl_seconds: -1 })],
    ['that lives for the provider’s default', valid({ message_send_ttl_seconds: null })],
    ['of a code that lives for 15 minutes', { ...authentication(), message_send_ttl_seconds: 900 }],
    [
      'of an offer that lives for 30 days',
      valid({ category: 'MARKETING', message_send_ttl_seconds: 2_592_000 }),
    ],
    ['as one that says how long its code is good', authentication({ code_expiration_minutes: 90 })],
  ])('%s', (_what, draft) => expect(faultsOf(draft)).toEqual([]));
});

describe('A draft has a fault', () => {
  it.each<[string, TemplateDraft, string[]]>([
    ['without a name', valid({ name: '' }), ['name: required']],
    ['with capitals in its name', valid({ name: 'Order' }), ['name: name_characters']],
    ['with a dash in its name', valid({ name: 'order-update' }), ['name: name_characters']],
    ['with a name that is too long', valid({ name: 'a'.repeat(513) }), ['name: too_long']],
    ['without a language', valid({ language: '' }), ['language: required']],
    ['with a language in words', valid({ language: 'English' }), ['language: language_code']],
    ...(
      [
        ['UTILITY', 29],
        ['UTILITY', 43_201],
        ['UTILITY', 60.5],
        ['UTILITY', 2_592_000],
        ['AUTHENTICATION', 901],
      ] as const
    ).map(([category, message_send_ttl_seconds]): [string, TemplateDraft, string[]] => [
      `in ${category} that lives for ${message_send_ttl_seconds} seconds`,
      { ...(category === 'UTILITY' ? valid() : authentication()), message_send_ttl_seconds },
      ['message_send_ttl_seconds: time_to_live_range_or_month'],
    ]),
    [
      'in MARKETING that lives for an hour',
      valid({ category: 'MARKETING', message_send_ttl_seconds: 3_600 }),
      ['message_send_ttl_seconds: time_to_live_range'],
    ],
    [
      'in MARKETING with the value of the others for 30 days',
      valid({ category: 'MARKETING', message_send_ttl_seconds: -1 }),
      ['message_send_ttl_seconds: time_to_live_range'],
    ],
  ])('%s', (_what, draft, faults) => expect(faultsOf(draft)).toEqual(faults));

  it.each<[string, TemplateDraft, string[]]>([
    ['without a body', body(' \n'), ['body: required']],
    ['with a body that is too long', body('a'.repeat(1025)), ['body: too_long']],
    ['with 1,025 emoji', body('🎉'.repeat(1025)), ['body: too_long']],
    [
      'that starts with a placeholder',
      body(' {{1}} is your order here', '7'),
      ['body: placeholder_at_start'],
    ],
    [
      'that ends with a placeholder',
      body('Thanks for your order {{1}}\n', '7'),
      ['body: placeholder_at_end'],
    ],
    [
      'with adjacent placeholders',
      body('Thanks for your order {{1}} {{2}} and for your trust', '7', '8'),
      ['body: placeholders_adjacent'],
    ],
    [
      'with a gap in the numbers',
      body('Thanks for {{1}} and also for {{3}}, dear Ana', '7', '', '9'),
      ['body: placeholder_gap'],
    ],
    [
      'with numbers from 2',
      body('Thanks for your order {{2}}, dear Ana', '', '7'),
      ['body: placeholder_gap'],
    ],
    [
      'with a number beyond any body',
      body('Thanks for your order {{9999}}, Ana', '7'),
      ['body: placeholder_gap', 'body_samples.9999: sample_missing'],
    ],
    ['with half a placeholder', body('Thanks for your {{1} order'), ['body: placeholder_malformed']],
    ['with empty braces', body('Thanks for your {{}} order'), ['body: placeholder_malformed']],
    [
      'with a leading zero',
      valid({ body: 'Thanks for your order {{01}}, dear Ana', body_samples: { '01': '7' } }),
      ['body: placeholder_malformed'],
    ],
    [
      'with a name for a number',
      valid({ body: 'Thanks for your order {{id}}, dear Ana', body_samples: { id: '7' } }),
      ['body: placeholder_not_numbered'],
    ],
    ['without a sample', body('Thanks for your order {{1}}, Ana'), ['body_samples.1: sample_missing']],
    [
      'with a blank sample',
      body('Thanks for your order {{1}}, Ana', ' '),
      ['body_samples.1: sample_missing'],
    ],
  ])('%s', (_what, draft, faults) => expect(faultsOf(draft)).toEqual(faults));

  it.each<[string, TemplateDraft, string[]]>([
    ['with an empty text header', textHeader(' '), ['header.text: required']],
    ['with a header that is too long', textHeader('a'.repeat(61)), ['header.text: too_long']],
    ['with two lines of header', textHeader('Hello\nyou'), ['header.text: one_line']],
    [
      'with two placeholders in the header',
      textHeader('{{1}} and {{2}}', 'x'),
      ['header.text: too_many_placeholders'],
    ],
    ['with a header that starts at 2', textHeader('Order {{2}}', 'x'), ['header.text: placeholder_gap']],
    ['with a header without sample', textHeader('Order {{1}}'), ['header.text_sample: sample_missing']],
    ...(['image', 'video', 'document'] as const).map((kind): [string, TemplateDraft, string[]] => [
      `with a header of kind ${kind} without sample`,
      header({ kind }),
      ['header.media_handle: media_sample_missing'],
    ]),
    ['with a footer that is too long', valid({ footer: 'a'.repeat(61) }), ['footer: too_long']],
    ['with a placeholder in the footer', valid({ footer: 'Bye {{1}}' }), ['footer: no_placeholders']],
    ['with two lines of footer', valid({ footer: 'Bye\nnow' }), ['footer: one_line']],
  ])('%s', (_what, draft, faults) => expect(faultsOf(draft)).toEqual(faults));

  it.each<[string, TemplateDraft, string[]]>([
    [
      'with eleven buttons',
      buttons(...Array.from({ length: 11 }, (_, i) => reply(`Answer ${i}`))),
      ['buttons: too_many_buttons'],
    ],
    [
      'with three URL buttons',
      buttons(...['a', 'b', 'c'].map((text) => url('https://a.example', '', text))),
      ['buttons[2]: too_many_of_type'],
    ],
    [
      'with two call buttons',
      buttons(phone(), phone('+4930123456', 'Ring')),
      ['buttons[1]: too_many_of_type'],
    ],
    ['with two codes to copy', buttons(coupon(), coupon()), ['buttons[1]: too_many_of_type']],
    [
      'with quick replies apart',
      buttons(reply(), phone(), reply('No'), reply('Maybe')),
      ['buttons[2]: quick_replies_apart'],
    ],
    ['without a label', buttons(reply(' ')), ['buttons[0].text: required']],
    ['with a label that is too long', buttons(reply('a'.repeat(26))), ['buttons[0].text: too_long']],
    ['with a placeholder in a label', buttons(reply('Order {{1}}')), ['buttons[0].text: no_placeholders']],
    ['without an address', buttons(url('')), ['buttons[0].url: required']],
    ['with an address of another kind', buttons(url('ftp://a.example')), ['buttons[0].url: url_invalid']],
    ['with a blank in an address', buttons(url('https://a.example/a b')), ['buttons[0].url: url_invalid']],
    ['with a variable for an address', buttons(url('https://{{1}}', 'x')), ['buttons[0].url: url_invalid']],
    [
      'with an address that is too long',
      buttons(url(`https://a.example/${'x'.repeat(2000)}`)),
      ['buttons[0].url: too_long'],
    ],
    [
      'with a variable in the middle of an address',
      buttons(url('https://a.example/{{1}}/b', 'x')),
      ['buttons[0].url: url_placeholder_position'],
    ],
    [
      'with two variables in an address',
      buttons(url('https://a.example/{{1}}/{{2}}', 'x')),
      ['buttons[0].url: url_placeholder_position'],
    ],
    [
      'with an address variable that is not the first',
      buttons(url('https://a.example/{{2}}', 'x')),
      ['buttons[0].url: url_placeholder_position'],
    ],
    [
      'with an address variable without sample',
      buttons(url('https://a.example/{{1}}')),
      ['buttons[0].sample: sample_missing'],
    ],
    ['without a phone number', buttons(phone('')), ['buttons[0].phone_number: required']],
    [
      'with letters for a phone number',
      buttons(phone('CALL ME')),
      ['buttons[0].phone_number: phone_invalid'],
    ],
    ['with a code without sample', buttons(coupon(' ')), ['buttons[0].sample: required']],
  ])('%s', (_what, draft, faults) => expect(faultsOf(draft)).toEqual(faults));

  it.each<[string, TemplateDraft, string[]]>([
    [
      'with texts of its own in an authentication template',
      { ...textHeader('Hi'), category: 'AUTHENTICATION', footer: 'Bye', buttons: [reply()] },
      ['header', 'body', 'footer', 'buttons'].map((field) => `${field}: authentication_fixed`),
    ],
    ...[0, 91, 1.5].map((minutes): [string, TemplateDraft, string[]] => [
      `with a code that is good for ${minutes} minutes`,
      authentication({ code_expiration_minutes: minutes }),
      ['authentication.code_expiration_minutes: minutes_range'],
    ]),
    [
      'with a label of the code button that is too long',
      authentication({ button_text: 'a'.repeat(26) }),
      ['authentication.button_text: too_long'],
    ],
  ])('%s', (_what, draft, faults) => expect(faultsOf(draft)).toEqual(faults));

  it('with a named placeholder that is no name', () => {
    const named = (text: string, samples: Record<string, string>) =>
      faultsOf(valid({ parameter_format: 'NAMED', body: text, body_samples: samples }));
    expect(named('Your order {{order_id}} is on its way', { order_id: '7' })).toEqual([]);
    expect(named('Your order {{Order}} is on its way', { Order: '7' })).toEqual(['body: placeholder_name']);
    expect(named('Your order {{1}} is on its way', { 1: '7' })).toEqual(['body: placeholder_name']);
  });
});

describe('A draft is warned', () => {
  it.each<[string, TemplateDraft, string[]]>([
    ['of three line breaks in a row', body('Hello\n\n\nthere'), ['body: many_newlines (warning)']],
    [
      'of many placeholders in few words',
      body('Hi {{1}} from {{2}} dear', 'Ana', 'us'),
      ['body: many_placeholders (warning)'],
    ],
    ['of formatting in a header', textHeader('*Hello*'), ['header.text: header_plain (warning)']],
    ['of emoji in a header', textHeader('Hello 🎉'), ['header.text: header_plain (warning)']],
    [
      'of two labels that are the same',
      buttons(reply(), reply('Yes ')),
      ['buttons[1].text: label_repeated (warning)'],
    ],
  ])('%s, and may still be submitted', (_what, draft, faults) => {
    expect(faultsOf(draft)).toEqual(faults);
    expect(hasErrors(checkDraft(draft))).toBe(false);
  });
});

describe('The text of a fault', () => {
  it.each<[TemplateDraft, string]>([
    [valid({ footer: 'a'.repeat(61) }), 'At most 60 characters are allowed, there are 61.'],
    [body('Thanks for your order {{2}}, dear Ana', '', '7'), '{{1}} is missing.'],
    [body('Thanks for your order {{1}}, dear Ana'), 'Give a sample for {{1}}.'],
    [body('Order {{1}} {{2}} is on its way to you', '7', '8'), 'Put some text between {{1}} and {{2}}.'],
    [body('Thanks for your {{1} order'), 'Write variables as {{1}}; these braces are incomplete.'],
  ])('names what is wrong', (draft, text) => {
    expect(draftFaultText(checkDraft(draft)[0]!)).toContain(text);
  });
});
