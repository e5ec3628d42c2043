import type { ErrorDetail } from '../../common/errors.js';

/** What `data` of a send carries, as far as the rules trust it: the DTOs have checked it, but not these rules. */
export interface ComponentsInput {
  components?: unknown;
  params?: unknown;
}

type Fields = Record<string, unknown>;

const TYPES = ['header', 'body', 'button', 'limited_time_offer', 'carousel'];
/** The parameter kinds that fill a placeholder. */
export const TEXTUAL = ['text', 'currency', 'date_time'];

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown) => value === undefined || value === null;
const fault = (field: string, message: string): ErrorDetail => ({ field, message });

/** A button's index as a number; null when it is neither one nor a numeric string. */
export function buttonIndex(index: unknown): number | null {
  return /^\d{1,2}$/.test(String(index)) && ['number', 'string'].includes(typeof index)
    ? Number(index)
    : null;
}

function parameterFaults(parameter: unknown, path: string, componentType: unknown): ErrorDetail[] {
  if (!isObject(parameter)) return [fault(path, 'A parameter must be an object.')];
  const { type, text } = parameter;
  if (typeof type !== 'string') return [fault(`${path}.type`, 'A parameter needs a type, as in text.')];
  if (componentType === 'body' && !TEXTUAL.includes(type)) {
    return [fault(`${path}.type`, 'A body parameter must be of type text, currency or date_time.')];
  }
  // The provider refuses an empty text; said here, the caller hears it before the message is accepted and charged.
  const isEmpty = type === 'text' && (typeof text !== 'string' || text === '');
  return isEmpty ? [fault(`${path}.text`, 'A text parameter needs a text that is not empty.')] : [];
}

function parametersFaults({ parameters, type }: Fields, path: string): ErrorDetail[] {
  if (isAbsent(parameters)) return [];
  if (!Array.isArray(parameters)) return [fault(`${path}.parameters`, 'parameters must be an array.')];
  return parameters.flatMap((item, i) => parameterFaults(item, `${path}.parameters[${i}]`, type));
}

function buttonFaults({ sub_type, index }: Fields, path: string): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (typeof sub_type !== 'string' || sub_type === '') {
    faults.push(fault(`${path}.sub_type`, 'A button component needs a sub_type, as in url.'));
  }
  if (buttonIndex(index) === null) {
    faults.push(fault(`${path}.index`, "A button component needs an index: the button's position, from 0."));
  }
  return faults;
}

function cardsFaults({ cards }: Fields, path: string): ErrorDetail[] {
  if (!Array.isArray(cards)) return [fault(`${path}.cards`, 'A carousel needs an array of cards.')];
  return cards.flatMap((card: unknown, i) => {
    const at = `${path}.cards[${i}]`;
    return isObject(card)
      ? listFaults(card.components, `${at}.components`, ['header', 'body', 'button'])
      : [fault(at, 'A card must be an object.')];
  });
}

function componentFaults(component: unknown, path: string, types: string[]): ErrorDetail[] {
  if (!isObject(component)) return [fault(path, 'A component must be an object.')];
  if (!types.includes(component.type as string)) {
    return [fault(`${path}.type`, `The type of a component here is one of ${types.join(', ')}.`)];
  }
  return [
    ...parametersFaults(component, path),
    ...(component.type === 'button' ? buttonFaults(component, path) : []),
    ...(component.type === 'carousel' ? cardsFaults(component, path) : []),
  ];
}

/** What may stand once only: each button by its index, and every other component. */
function duplicateKey(component: unknown): string | null {
  if (!isObject(component) || !TYPES.includes(component.type as string)) return null;
  if (component.type === 'button') return `button component with index ${buttonIndex(component.index)}`;
  return `${String(component.type)} component`;
}

function duplicateFaults(components: unknown[], path: string): ErrorDetail[] {
  const keys = components.map((component) => duplicateKey(component));
  return keys.flatMap((key, i) =>
    key !== null && keys.indexOf(key) < i ? [fault(`${path}[${i}]`, `There is a ${key} already.`)] : [],
  );
}

function listFaults(components: unknown, path: string, types: string[]): ErrorDetail[] {
  if (isAbsent(components)) return [];
  if (!Array.isArray(components)) return [fault(path, 'components must be an array.')];
  const faults = components.flatMap((item, i) => componentFaults(item, `${path}[${i}]`, types));
  return [...faults, ...duplicateFaults(components, path)];
}

function paramsFaults({ components, params }: ComponentsInput): ErrorDetail[] {
  if (isAbsent(params)) return [];
  if (!Array.isArray(params)) return [fault('data.params', 'params must be an array of strings.')];
  const hasBody =
    Array.isArray(components) && components.some((item) => isObject(item) && item.type === 'body');
  const conflict = 'Give the body parameters once: as data.params or as a body component of data.components.';
  return [
    ...(hasBody ? [fault('data.params', conflict)] : []),
    ...params.flatMap((text: unknown, i) =>
      typeof text === 'string' && text !== ''
        ? []
        : [fault(`data.params[${i}]`, 'Must be a string, not empty.')],
    ),
  ];
}

/** Every fault of form, whatever the template: after this the rules may rely on what they read. */
export function shapeFaults(data: ComponentsInput): ErrorDetail[] {
  return [...listFaults(data.components, 'data.components', TYPES), ...paramsFaults(data)];
}
