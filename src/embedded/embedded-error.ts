/** A fault of the embedded default that its user can mend; the message says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** The code of a system error such as ENOENT, or undefined. */
export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
