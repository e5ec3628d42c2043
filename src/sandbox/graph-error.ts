import type { WireError } from '../provider/wire.js';

const TITLES: Record<number, string> = {
  0: 'AuthException',
  2: 'API Service',
  4: 'API Too Many Calls',
  100: 'Invalid parameter',
  190: 'Access token has expired',
  2500: 'Unknown path components',
  80007: 'Rate limit issues',
  130429: 'Rate limit hit',
  130497: 'Business account is restricted from messaging users in this country.',
  131000: 'Something went wrong',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131021: 'Recipient cannot be sender',
  131026: 'Message undeliverable',
  131031: 'Account has been locked',
  131042: 'Business eligibility payment issue',
  131048: 'Spam rate limit hit',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement.',
  131050: 'User has stopped receipt of marketing messages from this business',
  131051: 'Unsupported message type',
  131053: 'Media upload error',
  131056: '(Business Account, Consumer Account) pair rate limit hit',
  131063: 'Marketing messages are disabled on this API',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  132005: 'Translated text too long',
  132012: 'Parameter format does not match format in the created template',
  132015: 'Template is Paused',
  132016: 'Template is Disabled',
  132018: 'There is an issue with the parameters in your template',
};

const FORBIDDEN = new Set([10, 368, 130497, 131005, 131031]);
const SERVER_FAULTS = new Set([3, 131000, 131016, 131045, 131057]);

/** The provider's own name of an error code. */
export function errorTitle(code: number): string {
  return TITLES[code] ?? 'Something went wrong';
}

/** The HTTP status the provider answers a code with. Rate limits come as 400 too. */
export function httpStatusOf(code: number): number {
  if (code === 0 || code === 190) return 401;
  if (FORBIDDEN.has(code) || (code >= 200 && code <= 299)) return 403;
  if (code === 132001) return 404;
  if (code === 2) return 503;
  return SERVER_FAULTS.has(code) ? 500 : 400;
}

export interface GraphErrorExtras {
  subcode?: number;
  /** For people, in an editor. */
  userTitle?: string;
  userMessage?: string;
  /** Seconds, for the `Retry-After` header. */
  retryAfter?: number;
  /** An HTTP status other than the code's own. */
  status?: number;
}

/** An error as the provider answers it: thrown anywhere, answered in one place. */
export class GraphError extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
    readonly extras: GraphErrorExtras = {},
  ) {
    super(`(#${code}) ${errorTitle(code)}`);
  }

  get status(): number {
    return this.extras.status ?? httpStatusOf(this.code);
  }

  toBody(traceId: string): { error: WireError } {
    const { subcode, userTitle, userMessage } = this.extras;
    return {
      error: {
        message: this.message,
        type: 'OAuthException',
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(userTitle !== undefined && { error_user_title: userTitle }),
        ...(userMessage !== undefined && { error_user_msg: userMessage }),
        error_data: { messaging_product: 'whatsapp', details: this.details },
        fbtrace_id: traceId,
      },
    };
  }
}

/** The answer to an id that is unknown, of another kind, or another account's: the provider makes no difference. */
export function unknownObject(id: string): GraphError {
  return new GraphError(
    100,
    `Unsupported request. Object with ID '${id.slice(0, 100)}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    { subcode: 33 },
  );
}
