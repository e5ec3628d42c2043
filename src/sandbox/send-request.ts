import type { WireComponent, WireParameter, WireSendRequest } from '../provider/wire.js';
import { GraphError } from './graph-error.js';

type Fields = Record<string, unknown>;

const COMPONENT_TYPES = new Set(['header', 'body', 'button', 'limited_time_offer', 'carousel']);
/** The `sub_type`s of buttons. checkParameters checks whether the template has such a button. */
const SUB_TYPES = [
  'BOOKING_CONFIRMATION',
  'CATALOG',
  'COPY_CODE',
  'FLOW',
  'MPM',
  'ORDER_DETAILS',
  'QUICK_REPLY',
  'REMINDER',
  'URL',
  'VOICE_CALL',
];
const MOST_BUTTONS = 10;
const LONGEST_CALLBACK_DATA = 512;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether the body marks a received message as read, rather than sends one. Throws 100 or 131009 for a wrong body. Any
 * message id will do, as the sandbox sends no messages to businesses.
 */
export function isReadMark(body: unknown): boolean {
  if (!isObject(body) || body.status === undefined) return false;
  if (body.messaging_product !== 'whatsapp' || body.status !== 'read')
    throw new GraphError(100, 'Param status must be one of {READ}, messaging_product one of {WHATSAPP}.');
  if (typeof body.message_id === 'string' && body.message_id.startsWith('wamid.')) return true;
  throw new GraphError(131009, 'message_id is not the id of a message.');
}

/** A request body of the right shape, with `to` as digits. Throws the provider's error for a wrong body. */
export function parseSendRequest(
  body: unknown,
): WireSendRequest & { template: { components: WireComponent[] } } {
  if (!isObject(body)) throw new GraphError(100, 'The request body must be a JSON object.');
  if (body.messaging_product !== 'whatsapp') {
    throw new GraphError(100, "Param messaging_product must be one of {WHATSAPP} - got '(empty or other)'.");
  }
  const to = parseRecipient(body);
  if (body.type !== 'template') {
    throw new GraphError(
      131051,
      'Outside a customer conversation only messages of type template can be sent.',
    );
  }
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: parseTemplate(body.template),
    biz_opaque_callback_data: parseCallbackData(body.biz_opaque_callback_data),
  };
}

function parseRecipient(body: Fields): string {
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    throw new GraphError(100, 'Param recipient_type must be one of {individual}.');
  }
  if (typeof body.to !== 'string' || body.to === '')
    throw new GraphError(100, 'The parameter to is required.');
  const digits = body.to.replace(/[\s().+-]/g, '');
  if (!/^\d{7,15}$/.test(digits)) throw new GraphError(131009, 'The recipient in to is not a phone number.');
  return digits;
}

function parseTemplate(template: unknown): {
  name: string;
  language: { code: string };
  components: WireComponent[];
} {
  if (!isObject(template)) throw new GraphError(131008, 'The parameter template is required.');
  const { name, language, components = [] } = template;
  if (typeof name !== 'string' || name === '') throw new GraphError(131008, 'template.name is required.');
  if (!isObject(language) || typeof language.code !== 'string') {
    throw new GraphError(100, "The parameter template['language']['code'] is required.");
  }
  return { name, language: { code: language.code }, components: parseComponents(components, 'template') };
}

function parseCallbackData(data: unknown): string | undefined {
  if (data === undefined || data === null) return undefined;
  if (typeof data === 'string' && data.length <= LONGEST_CALLBACK_DATA) return data;
  throw new GraphError(100, 'biz_opaque_callback_data must be a string of at most 512 characters.');
}

/** Checks the shape only; {@link checkParameters} checks whether they fit the template. */
function parseComponents(components: unknown, path: string): WireComponent[] {
  if (!Array.isArray(components)) throw new GraphError(100, `${path}.components must be an array.`);
  return components.map((component, index) => parseComponent(component, `${path}.components[${index}]`));
}

function parseComponent(component: unknown, path: string): WireComponent {
  if (!isObject(component)) throw new GraphError(100, `${path} must be an object.`);
  const type = String(component.type).toLowerCase();
  if (!COMPONENT_TYPES.has(type)) {
    throw new GraphError(
      100,
      `${path}.type must be one of {${[...COMPONENT_TYPES].join(', ').toUpperCase()}}.`,
    );
  }
  if (type === 'button') checkButtonShape(component, path);
  const parameters = component.parameters ?? [];
  if (!Array.isArray(parameters) || !parameters.every(isParameter)) {
    throw new GraphError(100, `${path}.parameters must be an array of objects with a type.`);
  }
  const parsed = { ...component, type, parameters: parameters.map(lowerCaseType) } as WireComponent;
  return component.cards === undefined ? parsed : { ...parsed, cards: parseCards(component.cards, path) };
}

function checkButtonShape({ sub_type: subType, index }: Fields, path: string): void {
  if (!SUB_TYPES.includes(String(subType).toUpperCase())) {
    throw new GraphError(
      100,
      `Param ${path}.sub_type must be one of {${SUB_TYPES.join(', ')}} - got "${String(subType).slice(0, 50)}".`,
    );
  }
  const isIndex = typeof index === 'number' || (typeof index === 'string' && /^\d+$/.test(index));
  if (isIndex && Number.isInteger(Number(index)) && Number(index) >= 0 && Number(index) < MOST_BUTTONS)
    return;
  throw new GraphError(100, `Param ${path}.index must be an integer from 0 to ${MOST_BUTTONS - 1}.`);
}

function isParameter(parameter: unknown): boolean {
  return isObject(parameter) && typeof parameter.type === 'string';
}

function lowerCaseType(parameter: Fields): WireParameter {
  return { ...parameter, type: String(parameter.type).toLowerCase() };
}

function parseCards(cards: unknown, path: string): WireComponent['cards'] {
  if (!Array.isArray(cards)) throw new GraphError(100, `${path}.cards must be an array.`);
  return cards.map((card, index) => {
    if (!isObject(card)) throw new GraphError(100, `${path}.cards[${index}] must be an object.`);
    return {
      card_index: Number(card.card_index ?? index),
      components: parseComponents(card.components ?? [], `${path}.cards[${index}]`),
    };
  });
}
