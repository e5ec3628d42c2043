/*
 * The details of events are stored shorter than they are shown: there are three or four events for each message, nearly
 * all of them alike. What is written is shortened here, what is read is completed by `SHOWN_DETAILS`.
 */

/** In the order in which they are packed. */
const PRICING = ['billable', 'pricing_model', 'type', 'category'] as const;

/** The status of an answer that is not noted. */
const USUAL_STATUS = 'accepted';

/** A receipt's details, with the pricing as words, as in `true PMP regular utility`, where nothing else is in it. */
export function shortReceipt(details: Record<string, unknown>): Record<string, unknown> {
  const { pricing, ...others } = details;
  const packed = pack(pricing);
  return packed === null ? details : { ...others, p: packed };
}

function pack(pricing: unknown): string | null {
  if (typeof pricing !== 'object' || pricing === null || Object.keys(pricing).length !== PRICING.length)
    return null;
  const [billable, ...texts] = PRICING.map((key) => (pricing as Record<string, unknown>)[key]);
  const isPlain = texts.every((text) => typeof text === 'string' && /^\w+$/.test(text));
  return typeof billable === 'boolean' && isPlain ? [billable, ...texts].join(' ') : null;
}

/** An answer's details, without the status that nearly all have. */
export function shortAnswer<Details extends { messageStatus: string }>(details: Details): object {
  const { messageStatus, ...others } = details;
  return messageStatus === USUAL_STATUS ? others : details;
}

const word = (place: number) => `split_part(e.details ->> 'p', ' ', ${place})`;

/** SQL of the details of an event `e` of a message `m` as they are shown. */
export const SHOWN_DETAILS = `
      CASE WHEN e.details ->> 'source' = 'receipt' THEN
        jsonb_build_object('provider_message_id', m.provider_message_id) || (e.details - 'p'::text)
          || CASE WHEN e.details ? 'p' THEN jsonb_build_object('pricing', jsonb_build_object('billable',
            ${word(1)}::boolean, 'pricing_model', ${word(2)}, 'type', ${word(3)}, 'category', ${word(4)})) ELSE '{}' END
      WHEN e.details ? 'messageId' THEN jsonb_build_object('messageStatus', '${USUAL_STATUS}') || e.details
      ELSE e.details END`;
