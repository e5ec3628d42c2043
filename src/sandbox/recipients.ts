/**
 * Recipients with a meaning. The last four digits of `to` decide what happens to a message, so that numbers of any
 * country can be used: +1 202 555 0112, +971 50 123 0112 and +44 7700 90 0112 all reach the marketing cap. A number
 * that is not in the table behaves as `read`.
 */

/** One receipt, in the order in which they arrive. `failed` carries its error code. */
export type ReceiptStep = 'sent' | 'delivered' | 'read' | { failed: number };

export type SendAnswer =
  /** A 200. With `slow` the message is taken at once, but the sender waits for the answer. */
  | { kind: 'accepted'; messageStatus: 'accepted' | 'held_for_quality_assessment'; slow?: boolean }
  /** An error with its code; nothing is taken. */
  | { kind: 'error'; code: number; retryAfter?: number }
  /** An HTTP status without a body; nothing is taken. */
  | { kind: 'bare_status'; status: number }
  /** The connection stays open and nothing ever comes. */
  | { kind: 'silence'; taken: boolean }
  /** The connection is torn down without an answer. */
  | { kind: 'drop'; taken: boolean };

export interface SandboxRecipient {
  /** The last digits of `to`. */
  suffix: string;
  name: string;
  meaning: string;
  answer: SendAnswer;
  /** The receipts of a message that was taken. */
  receipts: ReceiptStep[];
  /**
   * How many tries behave so; a later one is sent, delivered and read. Counted for each
   * `biz_opaque_callback_data`, or for the recipient when a message carries none. Absent: every try.
   */
  tries?: number;
}

const accepted: SendAnswer = { kind: 'accepted', messageStatus: 'accepted' };
const held: SendAnswer = { kind: 'accepted', messageStatus: 'held_for_quality_assessment' };
const error = (code: number, retryAfter?: number): SendAnswer => ({ kind: 'error', code, retryAfter });
const all: ReceiptStep[] = ['sent', 'delivered', 'read'];

const READ: SandboxRecipient = {
  suffix: '0100',
  name: 'read',
  meaning: 'sent, delivered and read: what any number outside this table does too',
  answer: accepted,
  receipts: all,
};

export const RECIPIENTS: readonly SandboxRecipient[] = [
  READ,
  {
    suffix: '0101',
    name: 'delivered_only',
    meaning: 'sent and delivered, never read',
    answer: accepted,
    receipts: ['sent', 'delivered'],
  },
  {
    suffix: '0102',
    name: 'sent_only',
    meaning: 'sent, no further receipt',
    answer: accepted,
    receipts: ['sent'],
  },
  {
    suffix: '0103',
    name: 'read_without_delivered',
    meaning: 'sent and read; the delivered receipt never comes',
    answer: accepted,
    receipts: ['sent', 'read'],
  },
  {
    suffix: '0104',
    name: 'expired',
    meaning: 'sent, then nothing for ever: its time to live ended, of which the provider says no word',
    answer: accepted,
    receipts: ['sent'],
  },
  {
    suffix: '0110',
    name: 'undeliverable',
    meaning: 'error 131026 in the answer: the number is not on WhatsApp',
    answer: error(131026),
    receipts: [],
  },
  {
    suffix: '0111',
    name: 'undeliverable_later',
    meaning: 'accepted, then a failed receipt with 131026',
    answer: accepted,
    receipts: [{ failed: 131026 }],
  },
  {
    suffix: '0112',
    name: 'marketing_cap',
    meaning: 'accepted, then a failed receipt with 131049 (marketing frequency cap)',
    answer: accepted,
    receipts: [{ failed: 131049 }],
  },
  {
    suffix: '0113',
    name: 'marketing_cap_at_once',
    meaning: 'error 131049 in the answer',
    answer: error(131049),
    receipts: [],
  },
  {
    suffix: '0120',
    name: 'number_rate',
    meaning: 'error 130429 with Retry-After: 1 on the first two tries, then read',
    answer: error(130429, 1),
    receipts: [],
    tries: 2,
  },
  {
    suffix: '0121',
    name: 'pair_rate',
    meaning: 'error 131056 on the first try, then read',
    answer: error(131056),
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0122',
    name: 'transient',
    meaning: 'error 131000 (HTTP 500) on the first two tries, then read',
    answer: error(131000),
    receipts: [],
    tries: 2,
  },
  {
    suffix: '0123',
    name: 'bare_503',
    meaning: 'HTTP 503 without a body on the first try, then read',
    answer: { kind: 'bare_status', status: 503 },
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0124',
    name: 'account_rate',
    meaning: 'error 80007 on the first try, then read: all numbers of the business account slow down',
    answer: error(80007),
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0125',
    name: 'app_rate',
    meaning: 'error 4 on the first try, then read: the same',
    answer: error(4),
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0130',
    name: 'slow',
    meaning: 'read, but the answer takes 3 seconds (receipts may overtake it)',
    answer: { kind: 'accepted', messageStatus: 'accepted', slow: true },
    receipts: all,
  },
  {
    suffix: '0131',
    name: 'taken_no_answer',
    meaning: 'taken, the answer never comes, the connection stays open; receipts arrive',
    answer: { kind: 'silence', taken: true },
    receipts: all,
  },
  {
    suffix: '0132',
    name: 'not_taken_no_answer',
    meaning: 'not taken and no answer on the first try, the connection stays open; then read',
    answer: { kind: 'silence', taken: false },
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0133',
    name: 'taken_connection_lost',
    meaning: 'taken, the connection is lost before the answer; receipts arrive',
    answer: { kind: 'drop', taken: true },
    receipts: all,
  },
  {
    suffix: '0134',
    name: 'taken_connection_lost_no_receipt',
    meaning: 'taken, the connection is lost and no receipt comes, on the first try; then read',
    answer: { kind: 'drop', taken: true },
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0135',
    name: 'not_taken_connection_lost',
    meaning: 'the connection is lost before the message is taken, on the first try; then read',
    answer: { kind: 'drop', taken: false },
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0140',
    name: 'held',
    meaning: 'held_for_quality_assessment, then sent and delivered',
    answer: held,
    receipts: ['sent', 'delivered'],
  },
  {
    suffix: '0141',
    name: 'held_then_failed',
    meaning: 'held_for_quality_assessment, then a failed receipt with 132015',
    answer: held,
    receipts: [{ failed: 132015 }],
  },
  {
    suffix: '0142',
    name: 'disorder',
    meaning: 'read, with receipts duplicated and out of order: read, sent, delivered, delivered, sent',
    answer: accepted,
    receipts: ['read', 'sent', 'delivered', 'delivered', 'sent'],
  },
  {
    suffix: '0143',
    name: 'delivered_after_failed',
    meaning: 'a failed receipt with 131026, then delivered all the same',
    answer: accepted,
    receipts: ['sent', { failed: 131026 }, 'delivered'],
  },
  {
    suffix: '0150',
    name: 'template_paused',
    meaning: 'error 132015 in the answer, once, then read: the template is on hold meanwhile',
    answer: error(132015),
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0151',
    name: 'token_error',
    meaning: 'error 190 (HTTP 401) in the answer, once, then read: the business account is on hold meanwhile',
    answer: error(190),
    receipts: [],
    tries: 1,
  },
  {
    suffix: '0180',
    name: 'country_restricted',
    meaning: 'error 130497 (HTTP 403) in the answer: the account may not message this country',
    answer: error(130497),
    receipts: [],
  },
  {
    suffix: '0181',
    name: 'country_restricted_later',
    meaning: 'accepted, then a failed receipt with 130497',
    answer: accepted,
    receipts: [{ failed: 130497 }],
  },
  ...onceAndLater('0190', 'marketing_disabled', 131063, 'marketing is switched off on this API'),
  ...onceAndLater('0192', 'payment_problem', 131042, 'the business account cannot pay'),
  ...onceAndLater('0194', 'spam_restricted', 131048, 'too many messages of the number were blocked'),
  ...onceAndLater('0196', 'account_locked', 131031, 'the business account is locked'),
];

/** Two recipients for an error that causes a hold: one gets it in the answer, once; the other in a receipt. */
function onceAndLater(suffix: string, name: string, code: number, why: string): SandboxRecipient[] {
  return [
    {
      suffix,
      name,
      meaning: `error ${code} in the answer, once, then read: ${why}`,
      answer: error(code),
      receipts: [],
      tries: 1,
    },
    {
      suffix: String(Number(suffix) + 1).padStart(4, '0'),
      name: `${name}_later`,
      meaning: `accepted, then a failed receipt with ${code}`,
      answer: accepted,
      receipts: [{ failed: code }],
    },
  ];
}

const BY_SUFFIX = new Map(RECIPIENTS.map((recipient) => [recipient.suffix, recipient]));

/** What a recipient (digits) does on its `attempt`-th try, from 1. */
export function behaviourOf(to: string, attempt: number): SandboxRecipient {
  const recipient = BY_SUFFIX.get(to.slice(-4)) ?? READ;
  return attempt > (recipient.tries ?? Infinity) ? READ : recipient;
}

/** A full number that has the recipient's meaning, in international form. */
export function exampleNumber(recipient: SandboxRecipient): string {
  return `+1202555${recipient.suffix}`;
}
