import { text } from './api.js';
import { template } from './tenants.js';

/** The URL of the templates' sample media. */
export const SAMPLE = 'https://example.com/sample';

const CARD = [
  { type: 'HEADER', format: 'IMAGE', example: { header_handle: [SAMPLE] } },
  { type: 'BODY', text: 'For {{1}} only' },
  { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] },
];
const BODY = { type: 'BODY', text: 'Hello {{1}}!' };
const buttons = (...list: { type: string; text: string; url?: string }[]) => ({
  type: 'BUTTONS',
  buttons: list,
});
const header = (format: string, others: object = {}) => ({ type: 'HEADER', format, ...others });

/** One template for each kind of component. */
export const COMPONENT_TEMPLATES = [
  template('plain', 'Hello {{1}}!'),
  template('nothing', 'Hello!'),
  template('image', [header('IMAGE', { example: { header_handle: [SAMPLE] } }), BODY]),
  template('video', [header('VIDEO', { example: { header_handle: [SAMPLE] } }), BODY]),
  template('document', [header('DOCUMENT', { example: { header_handle: [SAMPLE] } }), BODY]),
  template('text_header', [header('TEXT', { text: 'Dear {{1}}' }), BODY]),
  template('location', [header('LOCATION'), BODY]),
  template('replies', [
    BODY,
    buttons({ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'QUICK_REPLY', text: 'No' }),
  ]),
  template('link', [BODY, buttons({ type: 'URL', text: 'Go', url: 'https://example.com/{{1}}' })]),
  template('fixed_link', [BODY, buttons({ type: 'URL', text: 'Go', url: 'https://example.com/' })]),
  template('code', [BODY, buttons({ type: 'COPY_CODE', text: 'Copy' })], { category: 'MARKETING' }),
  template('flow', [BODY, buttons({ type: 'FLOW', text: 'Start' })]),
  template('catalog', [BODY, buttons({ type: 'CATALOG', text: 'View' })]),
  template('offer', [BODY, { type: 'LIMITED_TIME_OFFER', limited_time_offer: { has_expiration: true } }]),
  template('carousel', [BODY, { type: 'CAROUSEL', cards: [{ components: CARD }, { components: CARD }] }]),
  template('names', 'Hello {{first_name}} of {{city}}!', { parameter_format: 'NAMED' }),
];

/* Components of a send. */

export const body = (...parameters: object[]) => ({ type: 'body', parameters });
export const AMAL = body(text('Amal'));
export const head = (...parameters: object[]) => ({ type: 'header', parameters });
export const media = (type: string, value: unknown) => head({ type, [type]: value });
export const button = (sub_type: string, index: number | string, ...parameters: object[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
});
export const LINK = { link: 'https://example.com/a%20b.jpg?x=1&y=ü#z' };
