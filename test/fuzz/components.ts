import fc from 'fast-check';
import { ApiError } from '../../src/common/errors.js';
import { RequestValidationPipe } from '../../src/http/validation.pipe.js';
import { buildComponents, checkShape } from '../../src/messages/components/components.js';
import { SendMessageDto } from '../../src/messages/dto/send-message.dto.js';
import type { WireComponent, WireTemplate } from '../../src/provider/wire.js';
import { GraphError } from '../../src/sandbox/graph-error.js';
import { checkParameters } from '../../src/sandbox/parameter-check.js';
import { parseSendRequest } from '../../src/sandbox/send-request.js';
import { readTemplateContent } from '../../src/templates/domain/template-content.js';
import { sendBody } from '../support/api.js';
import { type Edit, edited, editWith } from './broken.js';
import { report } from './hunt.js';
import { toJsonText } from './json-text.js';
import { PARAMETERS, sendOf, type TemplatePlan, templateOf, templatePlan } from './template-plan.js';

/** Values for a send, of right and wrong kinds. */
const someValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...PARAMETERS),
  fc.constantFrom<unknown>(
    { type: 'body', parameters: [{ type: 'text', text: 'Amal' }] },
    { type: 'header', parameters: [{ type: 'text', text: 'Amal' }] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'a' }] },
    { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [] },
    { type: 'limited_time_offer', parameters: [] },
    { type: 'carousel', cards: [] },
    { card_index: 0, components: [] },
  ),
  fc.constantFrom<unknown>(
    'header',
    'body',
    'button',
    'carousel',
    'text',
    'image',
    'currency',
    'url',
    'flow',
  ),
  fc.constantFrom<unknown>(
    0,
    1,
    2,
    '0',
    '1',
    '01',
    -1,
    1.5,
    99,
    181,
    '90.5',
    1e15,
    'usd',
    'customer',
    'reader',
  ),
  fc.constantFrom<unknown>(null, '', ' ', [], {}, true, 'ftp://example.com/a', 'https://a b', 'x'.repeat(61)),
);

const FIELDS = (
  'type parameters sub_type index cards card_index components text parameter_name image video document link id ' +
  'filename location payload action currency date_time'
).split(' ');

const change = editWith(someValue, fc.constantFrom(...FIELDS));

export interface ComponentCase {
  plan: TemplatePlan;
  choice: number;
  changes: Edit[];
}

export const componentCase: fc.Arbitrary<ComponentCase> = fc.record({
  plan: templatePlan,
  choice: fc.nat(2),
  changes: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Edit[]>([]) },
    { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  ),
});

export interface JudgedSend {
  template: WireTemplate;
  /** The components as the caller gave them. */
  components: unknown;
}

export function judgedSend({ plan, choice, changes }: ComponentCase): JudgedSend {
  const template: WireTemplate = {
    id: '1',
    name: 'test',
    language: 'en_US',
    category: 'MARKETING',
    status: 'APPROVED',
    parameter_format: plan.format,
    components: templateOf(plan),
  };
  const sent = edited(sendOf(plan, choice), changes);
  return { template, components: JSON.parse(toJsonText(sent) || 'null') as unknown };
}

/**
 * Codes of faults that only the provider can judge: an unknown medium, and the length or the line breaks of a text
 * after its placeholders are filled in.
 */
export const PROVIDERS_OWN = new Set([131053, 132005, 132018]);

/** Codes with which acceptance says that the provider would refuse too; other codes are about the form. */
export const MISMATCHES = new Set(['TEMPLATE_PARAMS_MISMATCH', 'TEMPLATE_HEADER_MEDIA_REQUIRED']);

const pipe = new RequestValidationPipe();

/** The components as the message keeps and sends them. @throws ApiError that the API would answer */
async function accepted({ template, components }: JudgedSend): Promise<WireComponent[]> {
  const body = { ...sendBody('+12025550100'), data: { name: 'test', components } };
  const { data } = (await pipe.transform(body, { type: 'body', metatype: SendMessageDto })) as SendMessageDto;
  checkShape(data);
  return buildComponents(readTemplateContent(template.components, template.parameter_format), 'test', data);
}

/** The provider's answer to these components: null, or its code. */
function sandboxVerdict(template: WireTemplate, components: unknown): number | null {
  try {
    const request = parseSendRequest({
      messaging_product: 'whatsapp',
      to: '12025550100',
      type: 'template',
      template: { name: 'test', language: { code: 'en_US' }, components: components ?? [] },
    });
    checkParameters(template, request.template.components, { isMedia: () => true });
    return null;
  } catch (error) {
    if (error instanceof GraphError) return error.code;
    throw error;
  }
}

/** The points on which acceptance and the sandbox disagree about a send. */
export async function disagreements(one: ComponentCase): Promise<string[]> {
  const judged = judgedSend(one);
  const result = await accepted(judged).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  if (!(result instanceof ApiError)) {
    const code = sandboxVerdict(judged.template, JSON.parse(JSON.stringify(result)));
    return code === null || PROVIDERS_OWN.has(code)
      ? []
      : [`accepted, and refused by the provider with ${code}`];
  }
  if (one.changes.length === 0) return [`it fits, and is refused: ${result.code} ${result.message}`];
  if (!MISMATCHES.has(result.code) || sandboxVerdict(judged.template, judged.components) !== null) return [];
  return [`refused, though the provider would take it: ${result.code} ${result.message}`];
}

/** The sandbox accepts what acceptance accepts, and refuses what acceptance refuses as a mismatch. */
export const componentsProperty = () =>
  fc.asyncProperty(componentCase, async (one) => {
    report(await disagreements(one), JSON.stringify(judgedSend(one), null, 1));
  });
