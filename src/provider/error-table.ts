import type { ProviderErrorClass } from './provider-error.js';

/**
 * What to do with the message of a failed call: `retry` with backoff; `slow` down what the class names (business
 * account, number or pair) and retry; `hold` it until the cause is gone; `fail` it; or `wait` for a receipt, as it is
 * unknown whether it was sent.
 */
export type ProviderErrorAction = 'retry' | 'slow' | 'hold' | 'fail' | 'wait';

interface ErrorClassRow {
  action: ProviderErrorAction;
  /** Code → title. */
  codes: Record<number, string>;
  /** Codes known only as a range, both ends included. */
  range?: { from: number; to: number; title: string };
}

/** provider.md's "Error classes", the only place that knows a code. */
export const ERROR_TABLE: Readonly<Record<ProviderErrorClass, ErrorClassRow>> = {
  transient: {
    action: 'retry',
    codes: {
      1: 'Unknown provider error',
      2: 'Provider temporarily down or overloaded',
      131000: 'Something went wrong at the provider',
      131016: 'Provider service unavailable',
      131057: 'Business account in maintenance',
      133004: 'Provider server temporarily unavailable',
      134101: 'Template still being made ready by the provider',
    },
  },
  account_rate: {
    action: 'slow',
    codes: {
      4: 'App call limit reached',
      17: 'User call limit reached',
      341: 'Application limit reached',
      613: 'Calls come faster than the provider allows',
      80007: 'Business account rate limit reached',
    },
  },
  number_rate: { action: 'slow', codes: { 130429: 'Throughput of the number reached' } },
  pair_rate: { action: 'slow', codes: { 131056: 'Too many messages to this recipient in a short time' } },
  spam: {
    action: 'hold',
    codes: {
      131048: 'Number restricted: too many messages blocked or reported as spam',
      131064: 'Number restricted by the classification of its messages',
    },
  },
  auth: {
    action: 'hold',
    codes: {
      0: 'Access token not accepted',
      3: 'Missing capability or permission',
      10: 'Permission missing or removed',
      102: 'Session of the access token ended',
      104: 'Call not signed as the provider expects',
      190: 'Access token expired or invalid',
      131005: 'Access denied',
    },
    range: { from: 200, to: 299, title: 'API permission missing or removed' },
  },
  account: {
    action: 'hold',
    codes: {
      33: 'Number deleted at the provider',
      368: 'Business account blocked for a policy violation',
      131031: 'Business account locked',
      131037: 'Display name of the number not approved',
      131042: 'Payment problem of the business account',
      131045: 'Number not correctly registered',
      133010: 'Number not registered',
    },
  },
  category: {
    action: 'hold',
    codes: {
      131063: 'Marketing templates disabled for the business account',
      134011: "Provider's payments terms not accepted",
    },
  },
  misrouted: { action: 'hold', codes: {} },
  template_permanent: {
    action: 'fail',
    codes: {
      132000: 'Number of parameters does not match the template',
      132001: 'Template does not exist in this language or is not approved',
      132005: 'Text too long once the parameters are filled in',
      132007: 'Template content violates a policy',
      132012: 'Parameter format does not match the template',
      132016: 'Template disabled for low quality',
      132018: 'Template parameters not accepted',
    },
  },
  template_recoverable: {
    action: 'hold',
    codes: {
      132015: 'Template paused for low quality',
      132068: 'Flow of the template blocked',
      132069: 'Flow of the template throttled',
    },
  },
  recipient: {
    action: 'fail',
    codes: {
      100: 'Invalid parameter',
      130403: 'Recipient blocked',
      130472: 'Recipient is part of an experiment of the provider',
      130497: "Recipient's country may not be messaged",
      131008: 'Required parameter missing',
      131009: 'Parameter value not valid',
      131021: 'Recipient is the sender',
      131026: 'Message undeliverable',
      131047: 'More than 24 hours since the recipient last replied',
      131050: 'Recipient has stopped marketing messages from this business',
      131051: 'Message type not supported',
      131052: 'Media could not be downloaded',
      131053: 'Media could not be uploaded',
      131062: 'Recipient cannot be reached by this kind of id',
      135000: 'Request not accepted',
    },
  },
  marketing_cap: {
    action: 'fail',
    codes: { 131049: 'Not delivered: the recipient has had enough marketing messages for now' },
  },
  unknown: { action: 'wait', codes: {} },
};

/** Codes which show that our copy of the template is out of date: the provider's list is then read again. */
export const TEMPLATE_REFRESH_CODES: ReadonlySet<number> = new Set([132001, 132016]);

interface KnownCode {
  errorClass: ProviderErrorClass;
  title: string;
}

const CLASS_ROWS = Object.entries(ERROR_TABLE) as [ProviderErrorClass, ErrorClassRow][];

const KNOWN_CODES: ReadonlyMap<number, KnownCode> = new Map(
  CLASS_ROWS.flatMap(([errorClass, { codes }]) =>
    Object.entries(codes).map(([code, title]): [number, KnownCode] => [Number(code), { errorClass, title }]),
  ),
);

/** Class and title of a code, from an answer or a failed receipt; undefined for one that is not in the table. */
export function findCode(code: number): KnownCode | undefined {
  const known = KNOWN_CODES.get(code);
  if (known) return known;
  const row = CLASS_ROWS.find(([, { range }]) => range && code >= range.from && code <= range.to);
  return row && { errorClass: row[0], title: row[1].range!.title };
}

/** Whether the table names the code by itself, not by a range. */
export function isInTable(code: number): boolean {
  return KNOWN_CODES.has(code);
}

/** The class of a code. A code that is not in the table is permanent; {@link findCode} tells whether it is in there. */
export function classByCode(code: number): ProviderErrorClass {
  return findCode(code)?.errorClass ?? 'recipient';
}
