/** What a delivery says, as far as it has the shape that it should have. */

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** One of the provider's names, such as an event's: short and without anything odd. */
export function word(value: unknown): string | null {
  return typeof value === 'string' && /^[\w .:/-]{1,80}$/.test(value) ? value : null;
}

/** An id, which may come as a number; those of more than 53 bits come as text. */
export function idText(value: unknown): string | null {
  return /^\d{1,30}$/.test(String(value ?? '')) ? String(value) : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an array; nothing of anything else. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Seconds since 1970, as a number or text, or an ISO time; null when it is none. */
export function timeOf(value: unknown): Date | null {
  const seconds =
    typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) / 1_000 : Number(value);
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null;
}
