import { ApiError } from '../../common/errors.js';
import type { WireComponent } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';
import { buttonMismatches } from './button-mismatches.js';
import { cardMismatches, offerMismatches } from './card-mismatches.js';
import { shapeFaults, type TemplateParameters } from './component-shape.js';
import { requireHeaderMedia } from './header-media.js';
import { bodyMismatches, headerMismatches } from './text-mismatches.js';

/**
 * What can be said of the parameters before the account and the template are known, once for each send.
 * @throws ApiError VALIDATION_FAILED
 */
export function checkShape(data: TemplateParameters): void {
  const faults = shapeFaults(data);
  if (faults.length === 0) return;
  const [first] = faults;
  throw new ApiError('VALIDATION_FAILED', `${first?.field}: ${String(first?.message)}`, faults);
}

function checkFit(
  content: TemplateContent,
  name: string,
  components: WireComponent[],
  params: string[] | null,
): void {
  const part = { content, subject: `Template ${name}`, components, path: 'data.components' };
  const [first, ...others] = [
    ...bodyMismatches(part, params),
    ...headerMismatches(part),
    ...buttonMismatches(part),
    ...offerMismatches(part),
    ...cardMismatches(part),
  ];
  if (!first) return;
  const details = [first, ...others].map(({ detail }) => detail);
  throw new ApiError('TEMPLATE_PARAMS_MISMATCH', first.message, details);
}

/** `data.params` as a body component. For a named template the strings take its names in order of appearance. */
function bodyOf(content: TemplateContent, params: string[]): WireComponent[] {
  if (params.length === 0) return [];
  const isNamed = content.parameterFormat === 'NAMED';
  const parameters = params.map((text, i) => {
    const parameter_name = isNamed ? content.bodyParams[i] : undefined;
    return parameter_name === undefined ? { type: 'text', text } : { type: 'text', parameter_name, text };
  });
  return [{ type: 'body', parameters }];
}

/** The provider takes no null for an absent field; within an `action` it may have a meaning. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNulls(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field !== null) copy[name] = name === 'action' ? field : withoutNulls(field);
  }
  return copy as Value;
}

/** A copy in the provider's spelling: a button's index is a string, what is null is absent. */
function toWire(component: WireComponent): WireComponent {
  const wire = withoutNulls(component);
  if (wire.type === 'button') wire.index = String(Number(wire.index));
  if (wire.type === 'carousel') {
    wire.cards = wire.cards?.map((card) => ({
      ...card,
      components: card.components?.map((part) => toWire(part)),
    }));
  }
  return wire;
}

/** A header or body without parameters says nothing: it is left out. */
const saysSomething = ({ type, parameters }: WireComponent) =>
  (type !== 'header' && type !== 'body') || (parameters?.length ?? 0) > 0;

/**
 * The components to send, in the provider's form and independent of later edits of the template: what the message
 * keeps. Missing header media is said first, then everything that does not fit the template.
 *
 * @param data that has passed {@link checkShape}
 * @throws ApiError TEMPLATE_HEADER_MEDIA_REQUIRED, TEMPLATE_PARAMS_MISMATCH
 */
export function buildComponents(
  content: TemplateContent,
  templateName: string,
  data: TemplateParameters,
): WireComponent[] {
  const components = data.components ?? [];
  const params = data.params ?? null;
  requireHeaderMedia(content, templateName, components);
  checkFit(content, templateName, components, params);
  const kept = components
    .filter((component) => saysSomething(component))
    .map((component) => toWire(component));
  const headers = kept.filter((component) => component.type === 'header');
  const others = kept.filter((component) => component.type !== 'header');
  return [...headers, ...bodyOf(content, params ?? []), ...others];
}
