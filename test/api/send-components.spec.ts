import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, text } from '../support/api.js';
import { AMAL, body, button, COMPONENT_TEMPLATES, head, LINK, media, SAMPLE } from '../support/components.js';
import { copiesOf } from '../support/copies.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, type TestTenant } from '../support/tenants.js';

const PHONE = '+12025550101';

/** Uploaded media; ids may have more digits than a double can hold. */
const IMAGE = '1234567890123456789';
const CARD_IMAGE = '42';

const card = (card_index: number) => ({
  card_index,
  components: [
    media('image', { id: CARD_IMAGE }),
    body(text('you')),
    button('quick_reply', '0', { type: 'payload', payload: 'more' }),
  ],
});
let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService({}, { limits: false });
  tenant = await addTenant(service, { templates: COMPONENT_TEMPLATES });
  for (const id of [IMAGE, CARD_IMAGE]) service.sandbox.addMedia(tenant.wabaId, id);
});
afterAll(() => service.stop());

const send = (name: string, components?: unknown): Promise<Answer> =>
  tenant.api.post('/api/v1/messages/send', {
    messaging_account_id: tenant.accounts[0],
    phone: PHONE,
    message_type: 'template',
    data: { name, components },
  });

describe('Components pass through unchanged', () => {
  const rows: [string, string, object[]][] = [
    ['a text', 'plain', [AMAL]],
    ['a text of signs', 'plain', [body(text('"Ä" \\ {{1}} \u202e <b> 👩‍👩‍👧 أمل'))]],
    [
      'a currency',
      'plain',
      [body({ type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1e3 } })],
    ],
    ['a date', 'plain', [body({ type: 'date_time', date_time: { fallback_value: 'today' } })]],
    [
      'named texts',
      'names',
      [body({ ...text('Amal'), parameter_name: 'first_name' }, { ...text('Ulm'), parameter_name: 'city' })],
    ],
    ['a header text', 'text_header', [head(text('Amal')), AMAL]],
    ['an image by link', 'image', [media('image', LINK), AMAL]],
    ['an image by id', 'image', [media('image', { id: IMAGE }), AMAL]],
    ['the sample as the image', 'image', [media('image', { link: SAMPLE }), AMAL]],
    ['a video', 'video', [media('video', LINK), AMAL]],
    ['a document with its name', 'document', [media('document', { ...LINK, filename: 'Beleg ß.pdf' }), AMAL]],
    [
      'a location',
      'location',
      [
        head({ type: 'location', location: { latitude: 25.2, longitude: '55.27', name: 'N', address: 'A' } }),
        AMAL,
      ],
    ],
    [
      'quick replies',
      'replies',
      [
        AMAL,
        button('quick_reply', '0', { type: 'payload', payload: 'y' }),
        button('quick_reply', '1', { type: 'payload', payload: 'n' }),
      ],
    ],
    ['a URL variable', 'link', [AMAL, button('url', '0', text('orders/1?x=ü'))]],
    [
      'a coupon code',
      'code',
      [AMAL, button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SPRING20' })],
    ],
    [
      'a flow',
      'flow',
      [
        AMAL,
        button('flow', '0', {
          type: 'action',
          action: { flow_token: 't', flow_action_data: { a: [1, null, { b: true }], empty: {} } },
        }),
      ],
    ],
    [
      'a catalog',
      'catalog',
      [
        AMAL,
        button('catalog', '0', { type: 'action', action: { thumbnail_product_retailer_id: '2lc20305pt' } }),
      ],
    ],
    [
      'a limited-time offer',
      'offer',
      [
        AMAL,
        {
          type: 'limited_time_offer',
          parameters: [
            { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 4102444800000 } },
          ],
        },
      ],
    ],
    ['a carousel', 'carousel', [AMAL, { type: 'carousel', cards: [card(0), card(1)] }]],
    ['nothing', 'nothing', []],
  ];

  it.each(rows)('%s, for template %s', async (_case, name, components) => {
    const answer = await send(name, components);
    expect(answer.body).toMatchObject({ success: true });
    const id = answer.body.data['message_log_id'];
    const record = await eventually(async () => {
      const message = await tenant.api.message(id);
      expect(message['status']).toBe('delivered');
      return message;
    });
    expect(record['components']).toEqual(components);
    const [taken] = copiesOf(service, id);
    expect(taken?.components).toMatchObject(components);
  });

  it.each([
    [
      "a button's index, which becomes text",
      'link',
      [AMAL, button('url', 0, text('x'))],
      [AMAL, button('url', '0', text('x'))],
    ],
    ['the header, which comes first', 'image', [AMAL, media('image', LINK)], [media('image', LINK), AMAL]],
    ['an empty body', 'nothing', [body()], []],
    [
      'a null',
      'image',
      [media('image', { ...LINK, id: null }), { ...AMAL, sub_type: undefined, cards: null }],
      [media('image', LINK), AMAL],
    ],
  ])('except for %s', async (_case, name, components, sent) => {
    const { message_log_id: id } = (await send(name, components)).body.data;
    expect((await tenant.api.message(id))['components']).toEqual(sent);
    await eventually(async () => expect((await tenant.api.message(id))['status']).toBe('delivered'));
  });
});
