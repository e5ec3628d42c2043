import type { ErrorDetail } from '../../common/errors.js';
import type { WireComponent, WireParameter } from '../../provider/wire.js';

/** The part of a send's `data` that carries parameters. Its DTO has checked what each field is. */
export interface TemplateParameters {
  components?: WireComponent[] | null;
  params?: string[] | null;
}

type ComponentType = WireComponent['type'];

/** What may stand in a card of a carousel. */
const TYPES_IN_CARDS: ComponentType[] = ['header', 'body', 'button'];
/** The parameter kinds that fill a placeholder. */
export const TEXTUAL = ['text', 'currency', 'date_time'];

/** A button's position, as a number or as text. */
export const BUTTON_INDEX = /^\d{1,2}$/;

const fault = (field: string, message: string): ErrorDetail => ({ field, message });

function parameterFaults({ type, text }: WireParameter, path: string, of: ComponentType): ErrorDetail[] {
  if (of === 'body' && !TEXTUAL.includes(type))
    return [fault(`${path}.type`, 'A body parameter must be of type text, currency or date_time.')];
  // The provider refuses an empty text; said here, the caller hears it before the message is accepted and charged.
  return type === 'text' && text === ''
    ? [fault(`${path}.text`, 'A text parameter needs a text that is not empty.')]
    : [];
}

function cardsFaults({ cards }: WireComponent, path: string): ErrorDetail[] {
  if (!cards) return [fault(`${path}.cards`, 'A carousel needs an array of cards.')];
  return cards.flatMap((card, i) => {
    const at = `${path}.cards[${i}].components`;
    return listFaults(card.components, at, (type) => TYPES_IN_CARDS.includes(type));
  });
}

function componentFaults(component: WireComponent, path: string, isPlaced: boolean): ErrorDetail[] {
  const { type, parameters } = component;
  if (!isPlaced)
    return [fault(`${path}.type`, `The type of a component here is one of ${TYPES_IN_CARDS.join(', ')}.`)];
  return [
    ...(parameters ?? []).flatMap((item, i) => parameterFaults(item, `${path}.parameters[${i}]`, type)),
    ...(type === 'carousel' ? cardsFaults(component, path) : []),
  ];
}

/** What may stand once only: each button by its index, and every other component. */
function placeOf({ type, index }: WireComponent): string {
  return type === 'button' ? `button component with index ${Number(index)}` : `${type} component`;
}

function duplicateFaults(components: WireComponent[], path: string): ErrorDetail[] {
  const places = components.map((component) => placeOf(component));
  return places.flatMap((place, i) =>
    places.indexOf(place) < i ? [fault(`${path}[${i}]`, `There is a ${place} already.`)] : [],
  );
}

function listFaults(
  components: WireComponent[],
  path: string,
  mayStandHere: (type: ComponentType) => boolean,
): ErrorDetail[] {
  const faults = components.flatMap((item, i) =>
    componentFaults(item, `${path}[${i}]`, mayStandHere(item.type)),
  );
  return [...faults, ...duplicateFaults(components, path)];
}

function paramsFaults({ components, params }: TemplateParameters): ErrorDetail[] {
  if (!params) return [];
  const hasBody = components?.some(({ type }) => type === 'body') ?? false;
  const conflict = 'Give the body parameters once: as data.params or as a body component of data.components.';
  return [
    ...(hasBody ? [fault('data.params', conflict)] : []),
    ...params.flatMap((text, i) =>
      text === '' ? [fault(`data.params[${i}]`, 'Must be a string, not empty.')] : [],
    ),
  ];
}

/** What contradicts itself or says nothing, whatever the template. What each field may be stands in the DTO alone. */
export function shapeFaults(data: TemplateParameters): ErrorDetail[] {
  return [...listFaults(data.components ?? [], 'data.components', () => true), ...paramsFaults(data)];
}
