import type { WireComponent, WireParameter, WireTemplate, WireTemplateComponent } from '../provider/wire.js';
import { checkButtons } from './button-parameters.js';
import { GraphError } from './graph-error.js';
import { checkLocation, checkMedia, checkTextParameters, countMismatch } from './parameter-values.js';
import { isObject } from './send-request.js';
import { fillIn, findComponent, placeholders, templateButtons } from './template-content.js';

const LONGEST_BODY = 1024;
const LONGEST_TEXT_HEADER = 60;

/** Throws what the provider answers when the components of a send do not fit its template. */
export function checkParameters(template: WireTemplate, sent: WireComponent[]): void {
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
