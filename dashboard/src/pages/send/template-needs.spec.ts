import { COMPONENT_CASES, type ComponentCase } from '../../../../test/support/component-cases';
import type { TemplateDetail } from '../templates/types';
import { EMPTY } from './empty-form';
import { buildRequest } from './send-request';
import { faultsOf } from './send-rules';
import { needsOf, type TemplateNeeds } from './template-needs';
import type { SendValues } from './types';

/** A form with only the fields that every message has filled in. */
const BARE: SendValues = {
  ...EMPTY,
  messaging_account_id: 'acc_1',
  template_id: '1',
  phone: '+12025550100',
  media: { ...EMPTY.media, source: 'link' },
};

/** A form with all fields of the template filled in. */
const filled = ({ body, buttons }: TemplateNeeds): SendValues => ({
  ...BARE,
  body: Object.fromEntries(body.map((key) => [key, '123456'])),
  header_text: 'Amal',
  media: { ...BARE.media, link: 'https://example.com/a.jpg' },
  location: { latitude: '25.2', longitude: '55.27', name: 'Shop', address: 'Street 1' },
  buttons: Object.fromEntries(buttons.map(({ index }) => [index, 'SPRING20'])),
});

const detail = (components: ComponentCase['template']) =>
  ({ name: 'test', language: 'en', category: 'UTILITY', components }) as unknown as TemplateDetail;

type Verdicts = { acceptance: unknown; sandbox: unknown };
const TAKEN: Verdicts = { acceptance: null, sandbox: null };
/** Imported by a variable, as the service's code is compiled with another configuration than the page's. */
const SERVICE = '../../../../test/support/component-verdicts';
const verdictsOn = async (template: ComponentCase['template'], sent: unknown[]): Promise<Verdicts> =>
  ((await import(SERVICE)) as { verdictsOn(...given: unknown[]): Verdicts }).verdictsOn(template, sent);

const TEMPLATES = [...new Set(COMPONENT_CASES.map(({ template }) => template))].map((components) => ({
  components,
  needs: needsOf(detail(components)),
}));
const SUPPORTED = TEMPLATES.filter(({ needs }) => !needs.isUnsupported);

describe('The form of the send page', () => {
  it('knows the parts that it cannot fill in: offers, carousels, flows and catalogs', () => {
    const kinds = TEMPLATES.filter(({ needs }) => needs.isUnsupported).map(({ components: [, part] }) =>
      part?.type === 'BUTTONS' ? part.buttons?.[0]?.type : part?.type,
    );
    expect([...new Set(kinds)].toSorted()).toEqual([
      'CAROUSEL',
      'CATALOG',
      'FLOW',
      'LIMITED_TIME_OFFER',
      'MPM',
    ]);
  });

  it.each(SUPPORTED)(
    'asks for all that a send needs, and for nothing else: %#',
    async ({ components, needs }) => {
      const { acceptance } = await verdictsOn(components, []);
      expect(Object.keys(faultsOf(BARE, needs)).length === 0).toBe(acceptance === null);
    },
  );

  it.each(SUPPORTED)(
    'makes a request that the API and the provider accept: %#',
    async ({ components, needs }) => {
      const values = filled(needs);
      expect(faultsOf(values, needs)).toEqual({});
      const { request } = buildRequest(values, detail(components), needs);
      expect(await verdictsOn(components, request.data.components ?? [])).toEqual(TAKEN);
    },
  );
});
