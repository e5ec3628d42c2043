import fc from 'fast-check';
import type {
  WireComponent,
  WireParameter,
  WireTemplateButton,
  WireTemplateComponent,
} from '../../src/provider/wire.js';

/** The parts of a template. Both the template and a send that fits it are made from this. */
export interface TemplatePlan {
  format: 'POSITIONAL' | 'NAMED';
  header: HeaderKind;
  /** Names of the body's placeholders, or as many numbers. */
  placeholders: string[];
  /** Whether the first placeholder stands in the body a second time. */
  repeats: boolean;
  footer: boolean;
  offer: 'none' | 'ends' | 'endless';
  buttons: ButtonKind[];
  cards: CardPlan[];
}

interface CardPlan {
  header: 'image' | 'video';
  hasVariable: boolean;
  buttons: ('quick_reply' | 'url_variable')[];
}

type HeaderKind = 'none' | 'text' | 'text_variable' | 'image' | 'video' | 'document' | 'location';

/** The provider's buttons as templates store them. */
const BUTTONS = {
  quick_reply: { type: 'QUICK_REPLY', text: 'Yes' },
  url_fixed: { type: 'URL', text: 'Shop', url: 'https://example.com/' },
  url_variable: { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
  call: { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12025550100' },
  coupon: { type: 'COPY_CODE', text: 'Copy code', example: ['SPRING20'] },
  code: { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' },
  code_url: {
    type: 'URL',
    text: 'Copy code',
    url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
  },
  flow: { type: 'FLOW', text: 'Open' },
  catalog: { type: 'CATALOG', text: 'View catalog' },
  products: { type: 'MPM', text: 'View products' },
  voice_call: { type: 'VOICE_CALL', text: 'Call us' },
} satisfies Record<string, WireTemplateButton>;

type ButtonKind = keyof typeof BUTTONS;

/** The parameters of a send for a button; null when it needs none. */
const BUTTON_PARAMETERS: Record<ButtonKind, { sub_type: string; parameter: WireParameter } | null> = {
  quick_reply: { sub_type: 'quick_reply', parameter: { type: 'payload', payload: 'YES' } },
  url_fixed: null,
  url_variable: { sub_type: 'url', parameter: { type: 'text', text: 'A-1001' } },
  call: null,
  coupon: { sub_type: 'copy_code', parameter: { type: 'coupon_code', coupon_code: 'SPRING20' } },
  code: { sub_type: 'url', parameter: { type: 'text', text: '123456' } },
  code_url: { sub_type: 'url', parameter: { type: 'text', text: '123456' } },
  flow: { sub_type: 'flow', parameter: { type: 'action', action: { flow_token: 'unused' } } },
  catalog: {
    sub_type: 'catalog',
    parameter: { type: 'action', action: { thumbnail_product_retailer_id: '2lc' } },
  },
  products: { sub_type: 'mpm', parameter: { type: 'action', action: { sections: [] } } },
  voice_call: null,
};

const LINK = { link: 'https://example.com/a.jpg' };

/** A parameter of each kind, as a send carries it. */
export const PARAMETERS: WireParameter[] = [
  { type: 'text', text: 'Amal' },
  { type: 'currency', currency: { fallback_value: '$100.99', code: 'USD', amount_1000: 100_990 } },
  { type: 'date_time', date_time: { fallback_value: 'Monday' } },
  { type: 'image', image: LINK },
  { type: 'video', video: { link: 'https://example.com/a.mp4' } },
  { type: 'document', document: { ...LINK, filename: 'a.pdf' } },
  { type: 'image', image: { id: '1013859600285441' } },
  { type: 'location', location: { latitude: 25.2, longitude: '55.27', name: 'Shop' } },
  { type: 'payload', payload: 'YES' },
  { type: 'coupon_code', coupon_code: 'SPRING20' },
  { type: 'action', action: { flow_token: 'x' } },
  { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_795_000_000_000 } },
];

const TEXTUAL = PARAMETERS.slice(0, 3);

const cardPlan: fc.Arbitrary<CardPlan> = fc.record({
  header: fc.constantFrom('image', 'video'),
  hasVariable: fc.boolean(),
  buttons: fc.array(fc.constantFrom('quick_reply', 'url_variable'), { maxLength: 2 }),
});

const ordinaryPlan: fc.Arbitrary<TemplatePlan> = fc.record({
  format: fc.constantFrom('POSITIONAL', 'NAMED'),
  header: fc.constantFrom('none', 'text', 'text_variable', 'image', 'video', 'document', 'location'),
  placeholders: fc.uniqueArray(fc.constantFrom('customer', 'order_id', 'city'), { maxLength: 3 }),
  repeats: fc.boolean(),
  footer: fc.boolean(),
  offer: fc.constantFrom('none', 'none', 'none', 'ends', 'endless'),
  buttons: fc.array(fc.constantFrom(...(Object.keys(BUTTONS) as ButtonKind[])), { maxLength: 3 }),
  cards: fc.constant<CardPlan[]>([]),
});

const carouselPlan = fc
  .tuple(ordinaryPlan, fc.array(cardPlan, { minLength: 2, maxLength: 3 }))
  .map(([plan, cards]): TemplatePlan => ({ ...plan, header: 'none', offer: 'none', buttons: [], cards }));

const codePlan = fc.constantFrom<ButtonKind>('code', 'code_url').map((button): TemplatePlan => ({
  format: 'POSITIONAL',
  header: 'none',
  placeholders: ['code'],
  repeats: false,
  footer: true,
  offer: 'none',
  buttons: [button],
  cards: [],
}));

/** Templates of every kind that the provider has. */
export const templatePlan: fc.Arbitrary<TemplatePlan> = fc.oneof(
  { weight: 6, arbitrary: ordinaryPlan },
  { weight: 2, arbitrary: carouselPlan },
  { weight: 1, arbitrary: codePlan },
);

const mark = (plan: Pick<TemplatePlan, 'format'>, name: string, position: number) =>
  plan.format === 'NAMED' ? `{{${name}}}` : `{{${position + 1}}}`;

/** The template as the provider lists it. */
export function templateOf(plan: TemplatePlan): WireTemplateComponent[] {
  const { placeholders, repeats, footer, offer, buttons, cards } = plan;
  const marks = placeholders.map((name, i) => mark(plan, name, i));
  const body = ['Hello', ...marks, ...(repeats ? marks.slice(0, 1) : []), 'and goodbye.'].join(', ');
  return [
    ...headerOf(plan),
    { type: 'BODY', text: body },
    ...(footer ? [{ type: 'FOOTER', text: 'Demo shop' }] : []),
    ...(offer === 'none'
      ? []
      : [
          {
            type: 'LIMITED_TIME_OFFER',
            limited_time_offer: { text: 'Ends', has_expiration: offer === 'ends' },
          },
        ]),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map((kind) => BUTTONS[kind]) }] : []),
    ...(cards.length > 0
      ? [{ type: 'CAROUSEL', cards: cards.map((card) => ({ components: cardOf(card, plan.format) })) }]
      : []),
  ];
}

function headerOf({ header, format }: TemplatePlan): WireTemplateComponent[] {
  if (header === 'none') return [];
  if (header === 'text') return [{ type: 'HEADER', format: 'TEXT', text: 'News' }];
  if (header === 'text_variable')
    return [{ type: 'HEADER', format: 'TEXT', text: `For ${mark({ format }, 'reader', 0)} only` }];
  return [{ type: 'HEADER', format: header.toUpperCase() }];
}

function cardOf(
  { header, hasVariable, buttons }: CardPlan,
  format: TemplatePlan['format'],
): WireTemplateComponent[] {
  return [
    { type: 'HEADER', format: header.toUpperCase() },
    { type: 'BODY', text: hasVariable ? `Only ${mark({ format }, 'price', 0)} today.` : 'On sale.' },
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map((kind) => BUTTONS[kind]) }] : []),
  ];
}

/** The components of a send that fits the template; `choice` selects among the parameters that fit. */
export function sendOf(plan: TemplatePlan, choice: number): WireComponent[] {
  const filler = (name: string, position: number): WireParameter => ({
    ...(TEXTUAL[(choice + position) % TEXTUAL.length] as WireParameter),
    ...(plan.format === 'NAMED' && { parameter_name: name }),
  });
  const body = plan.placeholders.map(filler);
  return [
    ...sentHeader(plan.header, filler),
    ...(body.length > 0 ? [{ type: 'body' as const, parameters: body }] : []),
    ...sentButtons(plan.buttons),
    ...(plan.offer === 'ends'
      ? [{ type: 'limited_time_offer' as const, parameters: [kindOf('limited_time_offer')] }]
      : []),
    ...(plan.cards.length > 0
      ? [
          {
            type: 'carousel' as const,
            cards: plan.cards.map((card, card_index) => ({ card_index, components: sentCard(card, filler) })),
          },
        ]
      : []),
  ];
}

type Filler = (name: string, position: number) => WireParameter;

const kindOf = (kind: string) => PARAMETERS.find(({ type }) => type === kind) as WireParameter;

function sentHeader(header: HeaderKind, filler: Filler): WireComponent[] {
  if (header === 'none' || header === 'text') return [];
  return [
    { type: 'header', parameters: [header === 'text_variable' ? filler('reader', 0) : kindOf(header)] },
  ];
}

function sentButtons(kinds: ButtonKind[]): WireComponent[] {
  return kinds.flatMap((kind, index): WireComponent[] => {
    const sent = BUTTON_PARAMETERS[kind];
    return sent ? [{ type: 'button', sub_type: sent.sub_type, index, parameters: [sent.parameter] }] : [];
  });
}

function sentCard({ header, hasVariable, buttons }: CardPlan, filler: Filler): WireComponent[] {
  return [
    ...sentHeader(header, filler),
    ...(hasVariable ? [{ type: 'body' as const, parameters: [filler('price', 0)] }] : []),
    ...sentButtons(buttons),
  ];
}
