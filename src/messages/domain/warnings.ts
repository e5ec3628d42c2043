import { NEARLY_REACHED, peopleOf } from '../../numbers/domain/messaging-limit.js';
import type { Cost } from '../../pricing/domain/cost.js';
import type { TemplateCategory } from '../../provider/wire.js';
import { type Phone, takesMarketing } from '../../recipients/domain/phone.js';

export const WARNING_CODES = [
  'NUMBER_ON_HOLD',
  'TEMPLATE_QUALITY_LOW',
  'RECIPIENT_CAPPED_RECENTLY',
  'RECIPIENT_UNDELIVERABLE_RECENTLY',
  'COUNTRY_NOT_DELIVERED',
  'LIMIT_NEARLY_REACHED',
  'CATEGORY_CHANGE_ANNOUNCED',
  'PRICE_CHANGES_BEFORE_SEND',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

/** What is no fault, and worth to know before a send. */
export interface Warning {
  code: WarningCode;
  message: string;
}

/** What warnings depend on beside the message itself. */
export interface WarningFacts {
  /** Why messages of the number wait; null while they do not. */
  hold: string | null;
  /** The limit of the number's portfolio, such as `TIER_2K`; null where it is not known. */
  messaging_limit: string | null;
  /** To how many people the portfolio has sent in 24 hours; null before the first count. */
  reached: number | null;
  category_change: { category: string; at: string } | null;
  /** When a message to the recipient last failed with 131049 and with 131026, within the last 24 hours. */
  capped_at: Date | null;
  undeliverable_at: Date | null;
}

/** What is known of the message; its parts are missing where they have faults. */
export interface WarnedMessage {
  template?: { category: TemplateCategory; qualityScore: string | null; providerStatus: string };
  phone?: Phone;
  /** What it costs now. */
  price?: Cost;
  /** What it would cost if it were accepted when it is due. */
  priceWhenDue?: Cost;
}

/** The warnings of a message, in the order of {@link WARNING_CODES}. */
export function warningsOf(message: WarnedMessage, facts: WarningFacts): Warning[] {
  const texts: Record<WarningCode, string | null> = {
    NUMBER_ON_HOLD: facts.hold && `Messages of this number wait at present: ${facts.hold}`,
    TEMPLATE_QUALITY_LOW: lowQuality(message),
    RECIPIENT_CAPPED_RECENTLY: capped(message, facts),
    RECIPIENT_UNDELIVERABLE_RECENTLY:
      facts.undeliverable_at &&
      `A message to this recipient could not be delivered at ${minute(facts.undeliverable_at)} (error 131026).`,
    COUNTRY_NOT_DELIVERED: undeliveredCountry(message),
    LIMIT_NEARLY_REACHED: nearlyReached(facts),
    CATEGORY_CHANGE_ANNOUNCED: changingCategory(facts),
    PRICE_CHANGES_BEFORE_SEND: changingPrice(message),
  };
  return WARNING_CODES.flatMap((code) => {
    const text = texts[code];
    return text === null ? [] : [{ code, message: text }];
  });
}

const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const isMarketing = ({ template }: WarnedMessage) => template?.category === 'MARKETING';

function lowQuality({ template }: WarnedMessage): string | null {
  const isLow = template?.qualityScore === 'RED' || template?.providerStatus === 'FLAGGED';
  return isLow ? 'Recipients rate this template badly: the provider may pause or disable it.' : null;
}

/** Of any category: the provider may make the template marketing before it is sent, and the caller has others. */
function capped(message: WarnedMessage, { capped_at: at }: WarningFacts): string | null {
  if (!at) return null;
  const reached = `This recipient had reached the cap for marketing messages at ${minute(at)} (error 131049).`;
  return isMarketing(message) ? `${reached} Wait for 24 hours.` : reached;
}

function undeliveredCountry(message: WarnedMessage): string | null {
  if (!message.phone || takesMarketing(message.phone) || !isMarketing(message)) return null;
  return 'The provider delivers no marketing to numbers of the United States.';
}

function nearlyReached({ messaging_limit: tier, reached }: WarningFacts): string | null {
  const limit = tier === null ? null : peopleOf(tier);
  if (limit === null || reached === null || reached < limit * NEARLY_REACHED) return null;
  return `${reached} of the ${limit} people were reached whom the provider allows in 24 hours.`;
}

function changingCategory({ category_change: change }: WarningFacts): string | null {
  if (!change) return null;
  return `The provider has announced that the template becomes ${change.category} at ${minute(new Date(change.at))}, with the price of that.`;
}

function changingPrice({ price, priceWhenDue: later }: WarnedMessage): string | null {
  if (!price || !later || (price.cost === later.cost && price.currency === later.currency)) return null;
  return (
    `The price is another one when the message is due: ${later.currency} ${later.cost} instead of ${price.currency} ` +
    `${price.cost}. A message that is accepted now keeps the present one.`
  );
}
