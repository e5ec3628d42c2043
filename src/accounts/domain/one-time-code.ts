import { Secret, TOTP } from 'otpauth';

/** Random bytes of a secret, as RFC 4226 recommends. */
export const SECRET_BYTES = 20;

/** By how many steps of 30 seconds a phone's clock may be wrong, in either direction. */
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

/** The time step, near the given time, that has this code; null when none has. */
export function stepOfCode(secret: string, code: string, at: Date): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: DRIFT });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
