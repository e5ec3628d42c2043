import type { WireParameter } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';
import { TEXTUAL } from './component-shape.js';
import { isMediaHeader } from './header-media.js';
import { mismatch, type Mismatch, type Part, plural } from './part.js';

/** A component of the request and its JSON path. */
interface Placed {
  parameters: WireParameter[];
  path: string;
}

function place({ components, path }: Part, type: 'header' | 'body'): Placed | null {
  const position = components.findIndex((component) => component.type === type);
  const parameters = components[position]?.parameters ?? [];
  return position < 0 ? null : { parameters, path: `${path}[${position}].parameters` };
}

/** Named parameters: each of the template's names once, and no other. */
function nameMismatches(subject: string, names: string[], { parameters, path }: Placed): Mismatch[] {
  const given = parameters.map((parameter) => parameter.parameter_name);
  const wrong = given.flatMap((name, i) => {
    if (name !== undefined && names.includes(name) && given.indexOf(name) === i) return [];
    const message = `${subject} takes the parameters ${names.join(', ')}, each once; got ${name ?? 'one unnamed'}.`;
    return [mismatch(message, `${path}[${i}].parameter_name`, names, name ?? null)];
  });
  const missing = names.filter((name) => !given.includes(name));
  if (missing.length === 0) return wrong;
  const message = `${subject} also needs the parameters ${missing.join(', ')}.`;
  const detail = { field: path, expected: names.length, actual: given.length, missing };
  return [{ message, detail }, ...wrong];
}

/** The body, whether it comes as a component or as `data.params`. */
export function bodyMismatches(part: Part, params: string[] | null): Mismatch[] {
  const { content, subject } = part;
  const expected = content.paramsCount;
  const has = `${subject} has ${plural(expected, 'placeholder')}`;
  if (params) {
    const message = `${has}, data.params carries ${plural(params.length, 'string')}.`;
    return params.length === expected ? [] : [mismatch(message, 'data.params', expected, params.length)];
  }
  const body = place(part, 'body');
  if (!body) {
    const message = `${has}, the request carries no body component.`;
    return expected === 0 ? [] : [mismatch(message, part.path, expected, 0)];
  }
  const actual = body.parameters.length;
  const message = `${has}, the body component carries ${plural(actual, 'parameter')}.`;
  return [
    ...(actual === expected ? [] : [mismatch(message, body.path, expected, actual)]),
    ...(content.parameterFormat === 'NAMED' ? nameMismatches(subject, content.bodyParams, body) : []),
  ];
}

/** How many parameters the header component must carry, of which kinds, and what they are to the template. */
function headerNeeds(content: TemplateContent): { count: number; kinds: string[]; noun: string } {
  if (isMediaHeader(content.headerType))
    return { count: 1, kinds: [content.headerType], noun: 'header media' };
  if (content.headerNeedsLocation) return { count: 1, kinds: ['location'], noun: 'header location' };
  return { count: content.headerParams.length, kinds: TEXTUAL, noun: 'header parameter' };
}

/** The header: the text's placeholder, one medium, one location, or nothing. */
export function headerMismatches(part: Part): Mismatch[] {
  const { content, subject } = part;
  const header = place(part, 'header') ?? { parameters: [], path: part.path };
  const { count, kinds, noun } = headerNeeds(content);
  const actual = header.parameters.length;
  if (actual !== count) {
    const needs = count === 0 ? `takes no header parameters` : `needs ${count} ${noun}`;
    const message = `${subject} ${needs}, the request carries ${actual}.`;
    return [mismatch(message, header.path, count, actual)];
  }
  const wrongKind = header.parameters.flatMap(({ type }, i) => {
    const message = `${subject} takes a header parameter of type ${kinds.join(', ')}, not ${type}.`;
    return kinds.includes(type) ? [] : [mismatch(message, `${header.path}[${i}].type`, kinds, type)];
  });
  const isNamed = content.parameterFormat === 'NAMED' && content.headerParams.length > 0;
  return wrongKind.length > 0 || !isNamed
    ? wrongKind
    : nameMismatches(
        `The header of ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`,
        content.headerParams,
        header,
      );
}
