import { ApiError } from '../../common/errors.js';
import type { WireComponent } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';
import { buttonMismatches } from './button-mismatches.js';
import { cardMismatches, offerMismatches } from './card-mismatches.js';
import { shapeFaults, type TemplateParameters } from './component-shape.js';
import { stopAtFirst, type TakeFault } from '../../common/faults.js';
import { headerMediaFault } from './header-media.js';
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

/**
 * Where the parameters do not fit the template: missing header media first, then everything else in one fault.
 * @param data that has the shape of its DTO
 * @returns TEMPLATE_HEADER_MEDIA_REQUIRED, TEMPLATE_PARAMS_MISMATCH, both or none
 */
function componentFaults(content: TemplateContent, name: string, data: TemplateParameters): ApiError[] {
  const components = data.components ?? [];
  const part = { content, subject: `Template ${name}`, components, path: 'data.components' };
  const media = headerMediaFault(content, name, components);
  const [first, ...others] = [
    ...bodyMismatches(part, data.params ?? null),
    ...(media ? [] : headerMismatches(part)), // it would say the same once more
    ...buttonMismatches(part),
    ...offerMismatches(part),
    ...cardMismatches(part),
  ];
  const details = first && [first, ...others].map(({ detail }) => detail);
  return [
    ...(media ? [media] : []),
    ...(first ? [new ApiError('TEMPLATE_PARAMS_MISMATCH', first.message, details)] : []),
  ];
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
 * keeps.
 * @param data that has the shape of its DTO
 * @param take gets the faults of {@link componentFaults}; without it, the first is thrown
 * @returns undefined when there is a fault
 */
export function buildComponents(
  content: TemplateContent,
  templateName: string,
  data: TemplateParameters,
): WireComponent[];
export function buildComponents(
  content: TemplateContent,
  templateName: string,
  data: TemplateParameters,
  take: TakeFault,
): WireComponent[] | undefined;
export function buildComponents(
  content: TemplateContent,
  templateName: string,
  data: TemplateParameters,
  take: TakeFault = stopAtFirst,
): WireComponent[] | undefined {
  const faults = componentFaults(content, templateName, data);
  faults.forEach(take);
  if (faults.length > 0) return undefined;
  const kept = (data.components ?? [])
    .filter((component) => saysSomething(component))
    .map((component) => toWire(component));
  const headers = kept.filter((component) => component.type === 'header');
  const others = kept.filter((component) => component.type !== 'header');
  return [...headers, ...bodyOf(content, data.params ?? []), ...others];
}
