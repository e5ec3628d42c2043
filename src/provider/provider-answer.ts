import { storableText } from '../common/storable-text.js';
import { findCode } from './error-table.js';
import { ProviderError } from './provider-error.js';
import type { WireError } from './wire.js';

/** Details are stored with the message and shown: a page of HTML or a stack trace is of no use there. */
const DETAILS_LENGTH = 1_000;

/** Digits shown in the details of a code that is too large to be one. */
const CODE_LENGTH = 30;

/** The most milliseconds that a `Retry-After` counts for: a longer one is a mistake, perhaps beyond all dates. */
const LONGEST_RETRY_AFTER = 86_400_000;

/** The form of access tokens: the provider repeats a malformed token in its answer. */
const TOKEN_SHAPE = /\bEAA[A-Za-z0-9_-]{8,}/g;

/** HTTP statuses that mean "not now"; they count only when the answer carries no code. A 4xx without one is somebody else's. */
const TRANSIENT_STATUS = (status: number) => status >= 500;

export interface ProviderAnswer {
  httpStatus: number;
  /** The parsed JSON; absent or anything else when the answer was not the provider's. */
  body?: unknown;
  retryAfterHeader?: string | string[];
  /** `X-Business-Use-Case-Usage`, which tells when a business account that has used up its calls may call again. */
  usageHeader?: string | string[];
  /** The access token of the call: taken out of every text. */
  secret?: string;
}

/** The error of an error answer. Its class is decided by the code; only without a code, by the HTTP status. */
export function classifyProviderError(answer: ProviderAnswer, now = Date.now()): ProviderError {
  const error = errorOf(answer.body);
  const digits = digitsOf(error.code);
  const code = codeOf(digits);
  const known = code === null ? undefined : findCode(code);
  const transient =
    digits === null ? TRANSIENT_STATUS(answer.httpStatus) : !known && error.is_transient === true;
  // Such an answer says nothing about the message, and every later message would get the same.
  const misrouted = digits === null && !transient && answer.httpStatus >= 300;
  const text = (value: unknown) => clean(value, answer.secret);
  const message = text(error.message);
  const oddCode = code === null && digits !== null ? `Code ${digits.slice(0, CODE_LENGTH)}.` : undefined;
  return new ProviderError({
    errorClass: known?.errorClass ?? (transient ? 'transient' : misrouted ? 'misrouted' : 'recipient'),
    code,
    httpStatus: answer.httpStatus,
    title:
      known?.title ??
      (misrouted ? undefined : message) ??
      `Answer ${answer.httpStatus} without the provider's error code`,
    details: [oddCode, text(detailsOf(error)) ?? message].filter(Boolean).join(' ') || undefined,
    retryAfter: retryAfter(answer.retryAfterHeader, now) ?? regainedAfter(answer.usageHeader),
    userTitle: text(error.error_user_title),
    userMessage: text(error.error_user_msg),
    subcode: codeOf(digitsOf(error.error_subcode)) ?? undefined,
    known: known !== undefined || transient || misrouted,
  });
}

type Loose<T> = { [Field in keyof T]?: unknown };

/** The `error` of an answer of any shape; an empty one where there is none. */
function errorOf(body: unknown): Loose<WireError> {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  return typeof error === 'object' && error !== null ? error : {};
}

/** The digits of a whole number, which may come as text; null for anything else. */
function digitsOf(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^-?\d+$/.test(text) ? text : null;
}

/** A code as a number; null beyond 32 bits: the provider has no such codes, and our columns take none. */
function codeOf(digits: string | null): number | null {
  const code = Number(digits ?? Infinity);
  return Math.abs(code) < 2 ** 31 ? code : null;
}

/** Graph API calls outside messaging give `error_data` as a plain text. */
function detailsOf(error: Loose<WireError>): unknown {
  const data = error.error_data as { details?: unknown } | string | null | undefined;
  return typeof data === 'string' ? data : data?.details;
}

function clean(value: unknown, secret?: string): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const text = secret ? value.replaceAll(secret, '[access token]') : value;
  return storableText(text.replaceAll(TOKEN_SHAPE, '[access token]').slice(0, DETAILS_LENGTH));
}

/** A `Retry-After` (seconds or a date) in milliseconds; undefined when it is neither. */
function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.round(Math.min(Math.max(0, milliseconds), LONGEST_RETRY_AFTER));
}

/**
 * Milliseconds until the business account may call again, from `{"<id>": [{"estimated_time_to_regain_access": minutes}]}`;
 * undefined where it has calls left, or the header cannot be read.
 * Source: developers.facebook.com/docs/graph-api/overview/rate-limiting, "Business Use Case Rate Limits".
 */
function regainedAfter(header: string | string[] | undefined): number | undefined {
  const value = Array.isArray(header) ? header[0] : header;
  if (!value) return undefined;
  let usage: unknown;
  try {
    usage = JSON.parse(value);
  } catch {
    return undefined;
  }
  const minutes = Object.values(Object(usage) as object)
    .flat()
    .map((entry: unknown) =>
      Number(
        (Object(entry) as { estimated_time_to_regain_access?: unknown }).estimated_time_to_regain_access,
      ),
    )
    .filter((each) => each > 0);
  return minutes.length > 0 ? Math.min(Math.max(...minutes) * 60_000, LONGEST_RETRY_AFTER) : undefined;
}
