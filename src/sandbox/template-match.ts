import type {
  WireComponent,
  WireParameter,
  WireTemplate,
  WireTemplateButton,
  WireTemplateComponent,
} from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { checkLocation, checkMedia, checkTextParameters, countMismatch } from './parameter-check.js';
import { isObject } from './send-request.js';
import { fillIn, findComponent, placeholders, templateButtons } from './template-content.js';

const LONGEST_BODY = 1024;
const LONGEST_TEXT_HEADER = 60;

/** Throws what the provider answers when the components of a send do not fit its template. */
export function checkAgainstTemplate(template: WireTemplate, sent: WireComponent[]): void {
  const named = template.parameter_format === 'NAMED';
  checkPart(template.components, named, sent);
  const offer = findComponent(template.components, 'LIMITED_TIME_OFFER');
  if (offer) checkLimitedTimeOffer(offer, sent);
  const cards = findComponent(template.components, 'CAROUSEL')?.cards;
  if (cards) checkCards(cards, named, sent);
}

/** A whole message, or one card of a carousel: both have a header, a body and buttons. */
function checkPart(stored: WireTemplateComponent[], named: boolean, sent: WireComponent[]): void {
  checkHeader(findComponent(stored, 'HEADER'), named, parametersOf(sent, 'header'));
  checkBody(findComponent(stored, 'BODY'), named, parametersOf(sent, 'body'));
  checkButtons(templateButtons(stored), sent);
}

function parametersOf(sent: WireComponent[], type: string): WireParameter[] {
  return sent.filter((component) => component.type === type).flatMap(({ parameters }) => parameters ?? []);
}

function checkHeader(
  header: WireTemplateComponent | undefined,
  named: boolean,
  parameters: WireParameter[],
): void {
  const format = header?.format?.toLowerCase();
  if (format === 'image' || format === 'video' || format === 'document') checkMedia(format, parameters);
  else if (format === 'location') checkLocation(parameters);
  else {
    checkTextParameters('header', placeholders(header?.text), named, parameters);
    checkLength('header', fillIn(header?.text ?? '', parameters), LONGEST_TEXT_HEADER);
  }
}

function checkBody(
  body: WireTemplateComponent | undefined,
  named: boolean,
  parameters: WireParameter[],
): void {
  checkTextParameters('body', placeholders(body?.text), named, parameters);
  checkLength('body', fillIn(body?.text ?? '', parameters), LONGEST_BODY);
}

function checkLength(place: string, text: string, most: number): void {
  if (text.length <= most) return;
  throw new GraphError(
    132005,
    `${place}: text is ${text.length} characters long, at most ${most} are allowed`,
  );
}

function checkButtons(buttons: WireTemplateButton[], sent: WireComponent[]): void {
  const components = sent.filter(({ type }) => type === 'button');
  for (const component of components) {
    if (buttons[Number(component.index)]) continue;
    throw new GraphError(132012, `buttons: the template has no button at index ${String(component.index)}`);
  }
  buttons.forEach((button, index) => {
    const component = components.find((candidate) => Number(candidate.index) === index);
    checkButton(button, index, component);
  });
}

const SUB_TYPES: Record<string, string> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  OTP: 'url',
  COPY_CODE: 'copy_code',
  FLOW: 'flow',
  CATALOG: 'catalog',
};

function checkButton(button: WireTemplateButton, index: number, sent: WireComponent | undefined): void {
  const needs = parameterNeeded(button);
  const parameters = sent?.parameters ?? [];
  if (sent && String(sent.sub_type).toLowerCase() !== (SUB_TYPES[button.type] ?? button.type.toLowerCase())) {
    throw new GraphError(132012, `buttons: Button at index ${index} is of type ${button.type}`);
  }
  if (needs && !hasValue(parameters[0], needs)) {
    throw new GraphError(
      131008,
      `buttons: Button at index ${index} of type ${button.type} requires a parameter`,
    );
  }
  if (button.type === 'URL' && parameters.length > (needs ? 1 : 0)) {
    throw countMismatch(`buttons: Button at index ${index}`, parameters.length, needs ? 1 : 0);
  }
}

/** The field without which the button cannot be built; none when the template says it all. */
function parameterNeeded(button: WireTemplateButton): 'text' | 'coupon_code' | undefined {
  if (button.type === 'COPY_CODE') return 'coupon_code';
  const isDynamic = button.type === 'OTP' || (button.type === 'URL' && placeholders(button.url).length > 0);
  return isDynamic ? 'text' : undefined;
}

function hasValue(parameter: WireParameter | undefined, field: 'text' | 'coupon_code'): boolean {
  const value: unknown = parameter?.[field];
  return typeof value === 'string' && value !== '';
}

function checkLimitedTimeOffer(stored: WireTemplateComponent, sent: WireComponent[]): void {
  const settings = stored.limited_time_offer;
  if (isObject(settings) && settings.has_expiration === false) return;
  const offer: unknown = parametersOf(sent, 'limited_time_offer')[0]?.limited_time_offer;
  if (isObject(offer) && Number.isFinite(offer.expiration_time_ms)) return;
  throw new GraphError(131008, 'limited_time_offer: expiration_time_ms is required');
}

function checkCards(
  cards: { components: WireTemplateComponent[] }[],
  named: boolean,
  sent: WireComponent[],
): void {
  const sentCards = sent.find(({ type }) => type === 'carousel')?.cards ?? [];
  if (sentCards.length !== cards.length) throw countMismatch('carousel', sentCards.length, cards.length);
  cards.forEach((card, index) => {
    const sentCard = sentCards.find(({ card_index }) => card_index === index);
    checkPart(card.components, named, sentCard?.components ?? []);
  });
}
