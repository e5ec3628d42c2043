/** Readers of a delivery's values, which may have any shape. */

/** Of a phone number; the longest there are have 15. */
const MOST_DIGITS = 30;

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** One of the provider's names, such as an event's: short and without anything odd. */
export function word(value: unknown): string | null {
  return typeof value === 'string' && /^[\w .:/-]{1,80}$/.test(value) ? value : null;
}

/** A text or a number as text; empty for anything else, as an object's `toString` may be no function. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** An id, which may come as a number; those of more than 53 bits come as text. */
export function idText(value: unknown): string | null {
  const id = textOf(value);
  return /^\d{1,30}$/.test(id) ? id : null;
}

/** The digits of a phone number, however it is written; empty where there are none. */
export function phoneOf(value: unknown): string {
  return textOf(value).replaceAll(/\D/g, '').slice(0, MOST_DIGITS);
}

/** The id of an account; empty for anything that cannot be one, so that no statement gets it. */
export function accountId(value: unknown): string {
  const id = textOf(value);
  return /^[\w.:-]{1,64}$/.test(id) ? id : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an array; empty for anything else. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A number, or a text that is one; NaN for anything else. */
export function numberOf(value: unknown): number {
  const digits = textOf(value);
  return digits === '' ? NaN : Number(digits);
}

/** Seconds since 1970, as a number or text, or an ISO time; null when it is none. */
export function timeOf(value: unknown): Date | null {
  const seconds =
    typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) / 1_000 : numberOf(value);
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null;
}
