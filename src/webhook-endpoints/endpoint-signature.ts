import { createHash, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Bytes of a secret, as Standard Webhooks recommends: 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com).
 * The time is that of the machine, whatever time the service goes by: receivers compare it with their own.
 * @param id the same for each try of the same body, and for no other body
 * @param secrets each signs, so that a receiver may still know a former one
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const at = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** An id for a body that goes to an endpoint. */
export const idOf = (endpointId: string, body: string): string =>
  `msg_${createHash('sha256').update(endpointId).update(body).digest('base64url').slice(0, 27)}`;
