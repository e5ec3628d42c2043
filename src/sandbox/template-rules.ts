import type { WireTemplateButton, WireTemplateComponent, WireTemplateDraft } from '../provider/wire.js';
import { checkButtonRules } from './button-rules.js';
import { characters, RULES, draftFault } from './draft-fault.js';
import { LANGUAGES } from './languages.js';
import { isObject } from './send-request.js';
import { findComponent, placeholders } from './template-content.js';

const CATEGORIES = new Set(['MARKETING', 'UTILITY', 'AUTHENTICATION']);
/** Formats of headers that need a sample. */
export const MEDIA_FORMATS = new Set(['IMAGE', 'VIDEO', 'DOCUMENT']);
/** Ranges of `message_send_ttl_seconds`. -1 stands for 30 days in categories whose range ends before that. */
const TIMES_TO_LIVE: Record<string, { min: number; max: number }> = {
  AUTHENTICATION: { min: 30, max: 900 },
  UTILITY: { min: 30, max: 43_200 },
  MARKETING: { min: 43_200, max: 2_592_000 },
};
const LONGEST_BODY = 1024;
const LONGEST_LINE = 60;

/** A draft of the right shape and within the provider's limits. Throws code 100 with the subcode of the fault. */
export function checkDraft(draft: unknown): WireTemplateDraft {
  if (!isObject(draft)) throw draftFault('Invalid request', 'The request body must be a JSON object.');
  const { name, language } = draft;
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw draftFault(
      'Template name is not valid',
      'Names have 1 to 512 characters: lower-case letters, digits and underscores.',
    );
  }
  if (typeof language !== 'string' || !LANGUAGES.has(language)) {
    const codes = [...LANGUAGES].join(', ');
    throw draftFault('Template language is not valid', `Param language must be one of {${codes}}.`);
  }
  checkCategory(draft.category);
  checkTimeToLive(String(draft.category), draft.message_send_ttl_seconds);
  return { ...(draft as WireTemplateDraft), components: checkContent(draft) };
}

export function checkCategory(category: unknown): void {
  if (typeof category === 'string' && CATEGORIES.has(category)) return;
  throw draftFault('Template category is not valid', 'Use MARKETING, UTILITY or AUTHENTICATION.');
}

/** Null and undefined stand for the provider's default. */
export function checkTimeToLive(category: string, seconds: unknown): void {
  if (seconds === undefined || seconds === null) return;
  const { min, max } = TIMES_TO_LIVE[category]!;
  const isInRange = Number.isInteger(seconds) && (seconds as number) >= min && (seconds as number) <= max;
  if (isInRange || (seconds === -1 && category !== 'MARKETING')) return;
  throw draftFault(
    'Time to live is not valid',
    `message_send_ttl_seconds of a template in ${category} must be between ${min} and ${max}.`,
  );
}

/** The components of a draft or an edit, types in upper case. */
export function checkContent(draft: Record<string, unknown>): WireTemplateComponent[] {
  const components = parseComponents(draft.components);
  const named = draft.parameter_format === 'NAMED';
  if (draft.category === 'AUTHENTICATION') checkAuthentication(components);
  else checkBody(findComponent(components, 'BODY'), named);
  checkHeader(findComponent(components, 'HEADER'));
  checkFooter(findComponent(components, 'FOOTER'));
  checkButtonRules(findComponent(components, 'BUTTONS')?.buttons ?? []);
  return components;
}

function parseComponents(components: unknown): WireTemplateComponent[] {
  if (!Array.isArray(components) || !components.every(isComponent)) {
    throw draftFault('Components are not valid', 'components must be an array of objects with a type.');
  }
  const parsed = components.map(normalise);
  if (new Set(parsed.map(({ type }) => type)).size < parsed.length) {
    throw draftFault('Components are not valid', 'Each type of component may stand there only once.');
  }
  return parsed;
}

/** Types and formats in upper case, as the provider lists them. */
function normalise(component: WireTemplateComponent): WireTemplateComponent {
  const { format, buttons, cards } = component;
  return {
    ...component,
    type: component.type.toUpperCase(),
    ...(format && { format: format.toUpperCase() }),
    ...(buttons && { buttons: buttons.map((button) => ({ ...button, type: button.type.toUpperCase() })) }),
    ...(cards && { cards: cards.map((card) => ({ components: card.components.map(normalise) })) }),
  };
}

function isComponent(component: unknown): component is WireTemplateComponent {
  if (!isObject(component) || typeof component.type !== 'string') return false;
  const { text, format, buttons, example, cards } = component;
  const areTexts = [text, format].every((field) => field === undefined || typeof field === 'string');
  const areButtons = buttons === undefined || (Array.isArray(buttons) && buttons.every(isButton));
  const areCards = cards === undefined || (Array.isArray(cards) && cards.every(isCard));
  return areTexts && areButtons && areCards && (example === undefined || isObject(example));
}

function isCard(card: unknown): boolean {
  return isObject(card) && Array.isArray(card.components) && card.components.every(isComponent);
}

function isButton(button: unknown): button is WireTemplateButton {
  if (!isObject(button) || typeof button.type !== 'string') return false;
  return [button.text, button.url].every((field) => field === undefined || typeof field === 'string');
}

function checkBody(body: WireTemplateComponent | undefined, named: boolean): void {
  const text = body?.text?.trim() ?? '';
  if (!text) throw draftFault(...RULES.body, 'The body is required and cannot be empty.');
  if (characters(text) > LONGEST_BODY) {
    throw draftFault(
      ...RULES.length,
      `The body has ${characters(text)} characters, at most ${LONGEST_BODY} are allowed.`,
    );
  }
  if (/^\{\{\s*\w+\s*\}\}|\{\{\s*\w+\s*\}\}$/.test(text)) {
    throw draftFault(...RULES.edges, 'Variables cannot stand at the start or the end of the body.');
  }
  if (/\}\}\s*\{\{/.test(text)) throw draftFault(...RULES.body, 'Variables cannot stand side by side.');
  checkNumbering(text, named);
  checkWordRatio(text);
  checkBodyExamples(body, placeholders(text), named);
}

function checkNumbering(text: string, named: boolean): void {
  const names = placeholders(text);
  const isWrong = (name: string) =>
    named ? !/^[a-z][a-z0-9_]*$/.test(name) : !isInSequence(name, names.length);
  const wrong = names.find(isWrong);
  if (wrong === undefined) return;
  const rule = named ? 'lower-case names' : 'numbers from 1 without a gap';
  throw draftFault(...RULES.body, `Variables must be ${rule}: {{${wrong}}} is not.`);
}

function isInSequence(name: string, count: number): boolean {
  return /^[1-9]\d*$/.test(name) && Number(name) <= count;
}

/** The provider refuses a body that is mostly variables: n of them need 2n + 1 other words. */
function checkWordRatio(text: string): void {
  const variables = [...text.matchAll(/\{\{\s*\w+\s*\}\}/g)].length;
  const words = text
    .replace(/\{\{\s*\w+\s*\}\}/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  // In languages without spaces between words, counting by spaces gives far too few words.
  const length = Math.max(words.length, Math.floor(words.join('').length / 6));
  if (variables === 0 || length >= 2 * variables + 1) return;
  throw draftFault(
    ...RULES.ratio,
    'This template has too many variables for its length. Reduce them or write more text.',
  );
}

function checkBodyExamples(body: WireTemplateComponent | undefined, names: string[], named: boolean): void {
  const examples: unknown = named ? body?.example?.body_text_named_params : body?.example?.body_text?.[0];
  const count = Array.isArray(examples) ? examples.length : 0;
  if (count === names.length || (names.length === 0 && count === 0)) return;
  throw draftFault(...RULES.body, `The body has ${names.length} variables and ${count} examples.`);
}

function checkHeader(header: WireTemplateComponent | undefined): void {
  if (!header) return;
  const format = header.format?.toUpperCase();
  if (format === 'LOCATION') return;
  if (format === 'TEXT') return checkTextHeader(header);
  if (!format || !MEDIA_FORMATS.has(format)) {
    throw draftFault(...RULES.header, 'The format must be TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION.');
  }
  const sample: unknown = header.example?.header_handle?.[0];
  if (typeof sample === 'string' && sample !== '') return;
  throw draftFault(...RULES.header, `A header of format ${format} needs a sample in example.header_handle.`);
}

function checkTextHeader(header: WireTemplateComponent): void {
  const text = header.text ?? '';
  if (characters(text) > LONGEST_LINE) {
    throw draftFault(
      ...RULES.length,
      `The header has ${characters(text)} characters, at most ${LONGEST_LINE} are allowed.`,
    );
  }
  const names = placeholders(text);
  if (text === '' || /\n/.test(text) || names.length > 1) {
    throw draftFault(...RULES.header, 'A text header is one line with at most one variable.');
  }
  const { header_text: positional, header_text_named_params: named } = header.example ?? {};
  if (names.length === 1 && !positional?.length && !named?.length) {
    throw draftFault(...RULES.header, 'The variable of the header needs an example.');
  }
}

function checkFooter(footer: WireTemplateComponent | undefined): void {
  const text = footer?.text ?? '';
  if (characters(text) > LONGEST_LINE) {
    throw draftFault(
      ...RULES.length,
      `The footer has ${characters(text)} characters, at most ${LONGEST_LINE} are allowed.`,
    );
  }
  if (/\n/.test(text) || text.includes('{{')) {
    throw draftFault(...RULES.footer, 'The footer is one line without variables.');
  }
}

function checkAuthentication(components: WireTemplateComponent[]): void {
  const buttons = findComponent(components, 'BUTTONS')?.buttons ?? [];
  const hasCodeButton =
    buttons.length === 1 && ['OTP', 'URL'].includes(String(buttons[0]?.type).toUpperCase());
  if (!findComponent(components, 'BODY') || !hasCodeButton) {
    throw draftFault(...RULES.body, 'An authentication template has a body and exactly one OTP button.');
  }
  if (findComponent(components, 'HEADER')) {
    throw draftFault(...RULES.header, 'An authentication template has no header.');
  }
}
