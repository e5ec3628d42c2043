import type { TemplateContent } from '../../templates/domain/template-content.js';
import { buttonMismatches } from './button-mismatches.js';
import { headerMediaProblem, isMediaHeader } from './header-media.js';
import { mismatch, type Mismatch, type Part } from './part.js';
import { bodyMismatches, headerMismatches } from './text-mismatches.js';

/** The end of a limited-time offer: needed where the template says that it ends. */
export function offerMismatches({ content, subject, components, path }: Part): Mismatch[] {
  const position = components.findIndex(({ type }) => type === 'limited_time_offer');
  const parameters = components[position]?.parameters ?? [];
  const expected = content.offerEnds ? 1 : 0;
  const at = position < 0 ? path : `${path}[${position}].parameters`;
  if (parameters.length !== expected) {
    const needs =
      expected === 1 ? 'needs a limited_time_offer component with 1 parameter' : 'takes no end of an offer';
    return [
      mismatch(
        `${subject} ${needs}, the request carries ${parameters.length}.`,
        at,
        expected,
        parameters.length,
      ),
    ];
  }
  if (expected === 0) return [];
  const end: unknown = parameters[0]?.limited_time_offer?.expiration_time_ms;
  if (Number.isSafeInteger(end) && Number(end) > 0) return [];
  const message = `${subject} needs the end of its offer, limited_time_offer.expiration_time_ms in milliseconds since 1970.`;
  return [mismatch(message, `${at}[0].limited_time_offer`, 'expiration_time_ms', end ?? null)];
}

/** The cards of a carousel: as many as the template has, each with what it needs. */
export function cardMismatches({ content, subject, components, path }: Part): Mismatch[] {
  const position = components.findIndex(({ type }) => type === 'carousel');
  const sent = components[position]?.cards ?? [];
  const at = position < 0 ? path : `${path}[${position}].cards`;
  if (sent.length !== content.cards.length) {
    const message = `${subject} has ${content.cards.length} carousel cards, the request carries ${sent.length}.`;
    return [mismatch(message, at, content.cards.length, sent.length)];
  }
  return content.cards.flatMap((card, index) => {
    const place = sent.findIndex(({ card_index }) => card_index === index);
    if (place < 0) {
      const message = `${subject} has a carousel card ${index}, the request has none with that card_index.`;
      return [mismatch(message, at, index, null)];
    }
    const part = {
      content: card,
      subject: `Card ${index}`,
      components: sent[place]?.components ?? [],
      path: `${at}[${place}].components`,
    };
    return [...mediaMismatches(part, card), ...bodyMismatches(part, null), ...buttonMismatches(part)];
  });
}

/** Its medium, or what else its header takes. */
function mediaMismatches(part: Part, { headerType }: TemplateContent): Mismatch[] {
  if (!isMediaHeader(headerType)) return headerMismatches(part);
  const position = part.components.findIndex(({ type }) => type === 'header');
  const problem = headerMediaProblem(part.components[position], headerType);
  if (problem === null) return headerMismatches(part);
  const message = `${part.subject} needs a header component with its ${headerType}, by link or id; ${problem}.`;
  return [
    mismatch(message, position < 0 ? part.path : `${part.path}[${position}].parameters`, headerType, null),
  ];
}
