import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, text } from '../support/api.js';
import { AMAL, body, button, COMPONENT_TEMPLATES, head, LINK, media } from '../support/components.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, type TestTenant } from '../support/tenants.js';

const PHONE = '+12025550101';

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService({}, { limits: false });
  tenant = await addTenant(service, { templates: COMPONENT_TEMPLATES });
});
afterAll(() => service.stop());

const send = (name: string, components?: unknown): Promise<Answer> =>
  tenant.api.post('/api/v1/messages/send', {
    messaging_account_id: tenant.accounts[0],
    phone: PHONE,
    message_type: 'template',
    data: { name, components },
  });

async function nothingStored(): Promise<void> {
  const [row] = await service.database.run<{ count: number }>({
    name: 'count_all',
    text: 'SELECT count(*) AS count FROM message_logs',
  });
  expect(row?.count).toBe(0);
}

const other = (kind: string) => (kind === 'image' ? 'video' : 'image');

describe('A media header', () => {
  const kinds = ['image', 'video', 'document'];
  const faults: [string, (kind: string) => unknown][] = [
    ['no components', () => undefined],
    ['null components', () => null],
    ['no header component', () => [AMAL]],
    ['a header without parameters', () => [head(), AMAL]],
    ['neither link nor id', (kind) => [media(kind, {}), AMAL]],
    ['both link and id', (kind) => [media(kind, { ...LINK, id: '1' }), AMAL]],
    ['an empty link', (kind) => [media(kind, { link: '' }), AMAL]],
    ['a link to a file', (kind) => [media(kind, { link: 'file:///etc/passwd' }), AMAL]],
    ['a script for a link', (kind) => [media(kind, { link: 'javascript:alert(1)' }), AMAL]],
    ['an empty id', (kind) => [media(kind, { id: ' ' }), AMAL]],
    ['media of another kind', (kind) => [media(other(kind), LINK), AMAL]],
    ['media under the wrong key', (kind) => [head({ type: kind, [other(kind)]: LINK }), AMAL]],
    ['a text', () => [head(text('Amal')), AMAL]],
    ['media in the wrong component, and too few texts', () => [body()]],
  ];

  it.each(
    kinds.flatMap((kind) =>
      faults.map(([fault, components]) => ({ kind, fault, components: components(kind) })),
    ),
  )('of kind $kind is required: $fault', async ({ kind, components }) => {
    expect(await send(kind, components)).toBeError(422, 'TEMPLATE_HEADER_MEDIA_REQUIRED', [
      { field: expect.stringMatching(/^data\.components/), expected: kind },
    ]);
  });

  it('leaves nothing stored, charged or sent', nothingStored);
});

describe('Parameters that do not fit', () => {
  it.each([
    ['too few texts', 'plain', [body()], 'data.components[0].parameters', 1, 0],
    ['too many texts', 'plain', [body(text('1'), text('2'))], 'data.components[0].parameters', 1, 2],
    ['no body', 'plain', [], 'data.components', 1, 0],
    ['texts for a template without any', 'nothing', [AMAL], 'data.components[0].parameters', 0, 1],
    ['no header text', 'text_header', [AMAL], 'data.components', 1, 0],
    [
      'two header texts',
      'text_header',
      [AMAL, head(text('1'), text('2'))],
      'data.components[1].parameters',
      1,
      2,
    ],
    [
      'a header text where there is none',
      'plain',
      [head(text('1')), AMAL],
      'data.components[0].parameters',
      0,
      1,
    ],
    [
      'an image where there is none',
      'plain',
      [AMAL, media('image', LINK)],
      'data.components[1].parameters',
      0,
      1,
    ],
    [
      'two images',
      'image',
      [
        { ...head(), parameters: [...media('image', LINK).parameters, ...media('image', LINK).parameters] },
        AMAL,
      ],
      'data.components[0].parameters',
      1,
      2,
    ],
    ['no URL variable', 'link', [AMAL], 'data.components', 1, 0],
    ['an empty URL button', 'link', [AMAL, button('url', 0)], 'data.components[1].parameters', 1, 0],
    [
      'two URL variables',
      'link',
      [AMAL, button('url', 0, text('1'), text('2'))],
      'data.components[1].parameters',
      1,
      2,
    ],
    [
      'a URL variable where there is none',
      'fixed_link',
      [AMAL, button('url', 0, text('1'))],
      'data.components[1].parameters',
      0,
      1,
    ],
  ])(
    'are refused with the numbers expected and found: %s',
    async (_case, name, components, field, expected, actual) => {
      const answer = await send(name, components);
      expect(answer).toBeError(422, 'TEMPLATE_PARAMS_MISMATCH');
      expect(answer.body.error.details[0]).toMatchObject({ field, expected, actual });
    },
  );

  it.each([
    ['missing', [text('Ulm')]],
    [
      'unknown',
      [
        { ...text('Amal'), parameter_name: 'first_name' },
        { ...text('x'), parameter_name: 'town' },
      ],
    ],
    [
      'given twice',
      [
        { ...text('Amal'), parameter_name: 'city' },
        { ...text('x'), parameter_name: 'city' },
      ],
    ],
    ['not given', [text('Amal'), text('Ulm')]],
  ])('are refused when a name is %s', async (_case, parameters) => {
    expect(await send('names', [body(...parameters)])).toBeError(422, 'TEMPLATE_PARAMS_MISMATCH');
  });

  it.each([
    ['two bodies', [AMAL, AMAL]],
    ['two buttons of one index', [AMAL, button('url', 0, text('1')), button('url', '0', text('1'))]],
    ['an image in the body', [body({ type: 'image', image: LINK })]],
    ['a button without an index', [AMAL, { type: 'button', sub_type: 'url', parameters: [text('1')] }]],
    ['a button without a sub_type', [AMAL, { type: 'button', index: 0, parameters: [text('1')] }]],
  ])('are VALIDATION_FAILED when their form is wrong: %s', async (_case, components) => {
    expect(await send('link', components)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('leave nothing stored, charged or sent', nothingStored);
});
