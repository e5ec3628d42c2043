import type { WireComponent, WireParameter, WireTemplate, WireTemplateComponent } from '../provider/wire.js';
import { checkButtons } from './button-parameters.js';
import { GraphError } from './graph-error.js';
import { checkLocation, checkMedia, checkTextParameters, countMismatch } from './parameter-values.js';
import { isObject } from './send-request.js';
import { fillIn, findComponent, placeholders, templateButtons } from './template-content.js';

const LONGEST_BODY = 1024;
const LONGEST_TEXT_HEADER = 60;

/** Components that may stand in a send only once; there is one of type `button` for each button. */
const ONCE = ['header', 'body', 'limited_time_offer', 'carousel'] as const;

/** What the check needs to know about uploads. */
export interface KnownMedia {
  /** Whether the sender has uploaded a medium of that id. */
  isMedia(id: string): boolean;
}

/** A message or a card of one, together with the same part of its template. */
interface Part {
  stored: WireTemplateComponent[];
  sent: WireComponent[];
  named: boolean;
  known: KnownMedia;
}

/**
 * Throws the provider's error when the components of a send do not fit its template. Nothing else is needed for this
 * check, so that a table of cases can be run against it.
 */
export function checkParameters(template: WireTemplate, sent: WireComponent[], known: KnownMedia): void {
  const named = template.parameter_format === 'NAMED';
  const part: Part = { stored: template.components, sent, named, known };
  checkPart(part);
  checkLimitedTimeOffer(part);
  checkCards(part);
}

/** A whole message, or one card of a carousel: both have a header, a body and buttons. */
function checkPart(part: Part): void {
  const { stored, sent } = part;
  for (const type of ONCE) {
    if (sent.filter((component) => component.type === type).length <= 1) continue;
    throw new GraphError(100, `There can be at most one ${type} component.`);
  }
  checkHeader(part);
  checkBody(part);
  checkButtons(templateButtons(stored), sent);
}

function parametersOf(sent: WireComponent[], type: string): WireParameter[] {
  return sent.find((component) => component.type === type)?.parameters ?? [];
}

function checkHeader({ stored, sent, named, known }: Part): void {
  const header = findComponent(stored, 'HEADER');
  const parameters = parametersOf(sent, 'header');
  const format = header?.format?.toLowerCase();
  if (format === 'image' || format === 'video' || format === 'document') {
    checkMedia(format, parameters, known.isMedia);
  } else if (format === 'location') checkLocation(parameters);
  else {
    checkTextParameters('header', placeholders(header?.text), named, parameters);
    checkLength('header', fillIn(header?.text ?? '', parameters), LONGEST_TEXT_HEADER);
  }
}

function checkBody({ stored, sent, named }: Part): void {
  const body = findComponent(stored, 'BODY');
  const parameters = parametersOf(sent, 'body');
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

function checkLimitedTimeOffer({ stored, sent }: Part): void {
  const offer = findComponent(stored, 'LIMITED_TIME_OFFER');
  const parameters = parametersOf(sent, 'limited_time_offer');
  const settings = offer?.limited_time_offer;
  const ends = offer !== undefined && !(isObject(settings) && settings.has_expiration === false);
  if (!ends) {
    if (parameters.length > 0) throw countMismatch('limited_time_offer', parameters.length, 0);
    return;
  }
  if (parameters.length > 1) throw countMismatch('limited_time_offer', parameters.length, 1);
  const end: unknown = parameters[0]?.limited_time_offer;
  if (isObject(end) && Number.isSafeInteger(end.expiration_time_ms) && Number(end.expiration_time_ms) > 0)
    return;
  throw new GraphError(131008, 'limited_time_offer: expiration_time_ms is required');
}

function checkCards({ stored, sent, named, known }: Part): void {
  const cards = findComponent(stored, 'CAROUSEL')?.cards ?? [];
  const sentCards = sent.find(({ type }) => type === 'carousel')?.cards ?? [];
  if (sentCards.length !== cards.length) throw countMismatch('carousel', sentCards.length, cards.length);
  cards.forEach((card, index) => {
    const sentCard = sentCards.find(({ card_index }) => card_index === index);
    if (!sentCard) throw new GraphError(131008, `carousel: there is no card with card_index ${index}`);
    checkPart({ stored: card.components, sent: sentCard.components, named, known });
  });
}
