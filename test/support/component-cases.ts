import type { WireComponent, WireTemplateButton, WireTemplateComponent } from '../../src/provider/wire.js';

/** The components of a send for a template, and whether the provider accepts them. */
export interface ComponentCase {
  what: string;
  template: WireTemplateComponent[];
  sent: unknown[];
  fits: boolean;
}

/** The id of an uploaded medium. */
export const KNOWN_MEDIUM = '1013859600285441';

const BODY: WireTemplateComponent = { type: 'BODY', text: 'Hello.' };
const buttons = (...list: WireTemplateButton[]): WireTemplateComponent => ({
  type: 'BUTTONS',
  buttons: list,
});
const button = (sub_type: string, index: number, ...parameters: unknown[]) => ({
  type: 'button',
  sub_type,
  index: String(index),
  parameters,
});
const text = (value: string) => ({ type: 'text', text: value });
const coupon = (coupon_code: string) => ({ type: 'coupon_code', coupon_code });
const action = (value: unknown) => ({ type: 'action', action: value });
const image = (media: object) => ({ type: 'header', parameters: [{ type: 'image', image: media }] });
const LINK = { link: 'https://example.com/a.jpg' };

const COUPON = [BODY, buttons({ type: 'COPY_CODE', text: 'Copy code', example: ['SPRING20'] })];
const FLOW = [BODY, buttons({ type: 'FLOW', text: 'Open' })];
const CATALOG = [BODY, buttons({ type: 'CATALOG', text: 'View catalog' })];
const PRODUCTS = [BODY, buttons({ type: 'MPM', text: 'View products' })];
const REPLY = [BODY, buttons({ type: 'QUICK_REPLY', text: 'Yes' })];
const URL_VARIABLE = [BODY, buttons({ type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' })];
const URL_FIXED = [BODY, buttons({ type: 'URL', text: 'Shop', url: 'https://example.com/' })];
const CALL = [BODY, buttons({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12025550100' })];
const CODE = [
  { type: 'BODY', text: '*{{1}}* is your verification code.' },
  buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }),
] as WireTemplateComponent[];
const CODE_BODY = { type: 'body', parameters: [text('123456')] };
const OFFER = [
  BODY,
  { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
] as WireTemplateComponent[];
const OFFER_WITHOUT_END = [
  BODY,
  { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'A sale', has_expiration: false } },
] as WireTemplateComponent[];
const end = (expiration_time_ms: unknown) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
});
const LOCATION = [{ type: 'HEADER', format: 'LOCATION' }, BODY] as WireTemplateComponent[];
const place = (location: unknown) => ({ type: 'header', parameters: [{ type: 'location', location }] });
const CARD = {
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Only {{1}}.' },
    buttons({ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}' }),
  ],
};
const CAROUSEL = [BODY, { type: 'CAROUSEL', cards: [CARD, CARD] }] as WireTemplateComponent[];
const card = (card_index: number, ...without: string[]) => ({
  card_index,
  components: [
    image(LINK),
    { type: 'body', parameters: [text('9 EUR')] },
    button('url', 0, text('shoes')),
  ].filter(({ type }) => !without.includes(type)),
});
const carousel = (...cards: unknown[]) => ({ type: 'carousel', cards });

const fits = (what: string, template: WireTemplateComponent[], ...sent: unknown[]): ComponentCase => ({
  what,
  template,
  sent,
  fits: true,
});
const isRefused = (what: string, template: WireTemplateComponent[], ...sent: unknown[]): ComponentCase => ({
  ...fits(what, template, ...sent),
  fits: false,
});

/** Every kind of component that a send may have: complete, missing and wrong. */
export const COMPONENT_CASES: ComponentCase[] = [
  fits('a coupon code', COUPON, button('copy_code', 0, coupon('SPRING20'))),
  isRefused('no coupon code', COUPON),
  isRefused('a coupon code that is empty', COUPON, button('copy_code', 0, coupon(''))),
  isRefused('a text for a coupon code', COUPON, button('copy_code', 0, text('SPRING20'))),
  isRefused('a URL for a coupon code', COUPON, button('url', 0, text('SPRING20'))),
  isRefused('a coupon code for another button', COUPON, button('copy_code', 1, coupon('SPRING20'))),
  isRefused('two coupon codes', COUPON, button('copy_code', 0, coupon('A'), coupon('B'))),

  fits('the action of a flow', FLOW, button('flow', 0, action({ flow_token: 'unused' }))),
  isRefused('no action of a flow', FLOW),
  isRefused('a flow without its action', FLOW, button('flow', 0)),
  isRefused('a catalog for a flow', FLOW, button('catalog', 0, action({}))),
  fits(
    'the action of a catalog',
    CATALOG,
    button('catalog', 0, action({ thumbnail_product_retailer_id: '2lc20305pt' })),
  ),
  isRefused('no action of a catalog', CATALOG),
  isRefused('a text for the action of a catalog', CATALOG, button('catalog', 0, text('2lc20305pt'))),

  fits('the action of a list of products', PRODUCTS, button('mpm', 0, action({ sections: [] }))),
  isRefused('no action of a list of products', PRODUCTS),

  fits('no payload of a quick reply', REPLY),
  fits('a payload of a quick reply', REPLY, button('quick_reply', 0, { type: 'payload', payload: 'YES' })),
  isRefused('a text for the payload of a quick reply', REPLY, button('quick_reply', 0, text('YES'))),
  isRefused(
    'a payload for another button',
    REPLY,
    button('quick_reply', 1, { type: 'payload', payload: 'YES' }),
  ),

  fits('the variable of a URL', URL_VARIABLE, button('url', 0, text('A-1001'))),
  isRefused('no variable of a URL', URL_VARIABLE),
  isRefused(
    'a payload for the variable of a URL',
    URL_VARIABLE,
    button('quick_reply', 0, { type: 'payload', payload: 'A' }),
  ),
  fits('nothing for a fixed URL', URL_FIXED),
  fits('no variable for a fixed URL', URL_FIXED, button('url', 0)),
  isRefused('a quick reply for a fixed URL', URL_FIXED, button('quick_reply', 0)),
  isRefused('a variable for a fixed URL', URL_FIXED, button('url', 0, text('A-1001'))),
  fits('nothing for a call', CALL),
  isRefused('a component for a call', CALL, button('url', 0, text('A-1001'))),

  fits('a one-time code in body and button', CODE, CODE_BODY, button('url', 0, text('123456'))),
  isRefused('a one-time code without its button', CODE, CODE_BODY),
  isRefused('a one-time code without its body', CODE, button('url', 0, text('123456'))),

  fits('the end of an offer', OFFER, end(1_795_000_000_000)),
  isRefused('no end of an offer', OFFER),
  isRefused('an end of an offer that is no time', OFFER, end('soon')),
  isRefused('the end of an offer twice', OFFER, end(1_795_000_000_000), end(1_795_000_000_000)),
  fits('no end of an offer that has none', OFFER_WITHOUT_END),
  isRefused('an end of an offer that has none', OFFER_WITHOUT_END, end(1_795_000_000_000)),
  isRefused('an end of no offer', [BODY], end(1_795_000_000_000)),

  fits(
    'a location',
    LOCATION,
    place({ latitude: 25.2, longitude: '55.27', name: 'Shop', address: 'Street 1' }),
  ),
  isRefused('no location', LOCATION),
  isRefused('a location that calls itself an image', LOCATION, {
    type: 'header',
    parameters: [{ type: 'image', location: { latitude: 25.2, longitude: 55.27 } }],
  }),
  isRefused('a text for a location', LOCATION, { type: 'header', parameters: [text('Shop')] }),

  fits('a medium by its link', [{ type: 'HEADER', format: 'IMAGE' }, BODY], image(LINK)),
  fits('a medium by its id', [{ type: 'HEADER', format: 'IMAGE' }, BODY], image({ id: KNOWN_MEDIUM })),
  isRefused('no medium', [{ type: 'HEADER', format: 'IMAGE' }, BODY]),
  isRefused('a medium for no header', [BODY], image(LINK)),

  fits('the cards of a carousel', CAROUSEL, carousel(card(0), card(1))),
  fits('the cards of a carousel in another order', CAROUSEL, carousel(card(1), card(0))),
  isRefused('no cards of a carousel', CAROUSEL),
  isRefused(
    'the cards of a carousel twice',
    CAROUSEL,
    carousel(card(0), card(1)),
    carousel(card(0), card(1)),
  ),
  isRefused('too few cards', CAROUSEL, carousel(card(0))),
  isRefused('too many cards', CAROUSEL, carousel(card(0), card(1), card(2))),
  isRefused('the same card twice', CAROUSEL, carousel(card(0), card(0))),
  isRefused('a card without its medium', CAROUSEL, carousel(card(0), card(1, 'header'))),
  isRefused('a card without its text', CAROUSEL, carousel(card(0), card(1, 'body'))),
  isRefused('a card without its button', CAROUSEL, carousel(card(0), card(1, 'button'))),
  isRefused('cards of no carousel', [BODY], carousel(card(0))),
];

/** The components of a case with the type of the provider's. */
export const componentsOf = ({ sent }: ComponentCase) => sent as WireComponent[];
