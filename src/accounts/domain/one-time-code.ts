import { Secret, TOTP } from 'otpauth';

/** Random bytes of a secret, as RFC 4226 recommends. */
export const SECRET_BYTES = 20;

/** Steps of 30 seconds by which the clock of a phone may be wrong, either way. */
const DRIFT = 1;

/** The name under which an app lists the codes. */
const ISSUER = 'Template Messages';

/** A secret as people and apps write it, in base32. */
export function oneTimeSecret(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** What an app reads from the QR code: `otpauth://totp/…`. */
export function oneTimeUri(secret: string, email: string): string {
  return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/** The time step whose code this is, near the given time; null when it is none of these. */
export function stepOfCode(secret: string, code: string, at: Date): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: DRIFT });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
