/**
 * What a failed call means for the message, the number or the account: provider.md's table of error classes. Two are
 * ours. `misrouted`: somebody else has answered, such as a proxy, or a server at a wrong address. `unknown`: the
 * request may have reached the provider, but no answer came back.
 */
export type ProviderErrorClass =
  | 'transient'
  | 'account_rate'
  | 'number_rate'
  | 'pair_rate'
  | 'spam'
  | 'auth'
  | 'account'
  | 'category'
  | 'misrouted'
  | 'template_permanent'
  | 'template_recoverable'
  | 'recipient'
  | 'marketing_cap'
  | 'unknown';

/** What is known of a failed call; {@link ProviderError} has the same fields. */
export interface ProviderErrorFields {
  errorClass: ProviderErrorClass;
  /** Short plain English; ours for a known code, the provider's own words otherwise. */
  title: string;
  /** The provider's code; absent where it gave none (no answer, or an answer that is not its own). */
  code?: number | null;
  httpStatus?: number | null;
  details?: string | null;
  /** Milliseconds, from `Retry-After` or from the provider's header on the use of limits. */
  retryAfter?: number;
  /** Management calls only: title and text that the provider wrote for the person at the editor. */
  userTitle?: string;
  userMessage?: string;
  subcode?: number;
  /** False for a code that is not in the table: treated as permanent, and to be logged loudly. */
  known?: boolean;
}

/**
 * The only error that {@link ProviderClient} throws. Holds no token, no header and no request body, so it may be
 * logged and stored as it is; for the same reason it has no `cause`.
 */
export class ProviderError extends Error {
  readonly errorClass: ProviderErrorClass;
  readonly code: number | null;
  readonly httpStatus: number | null;
  readonly title: string;
  readonly details: string | null;
  readonly retryAfter?: number;
  readonly userTitle?: string;
  readonly userMessage?: string;
  readonly subcode?: number;
  readonly known: boolean;

  constructor(fields: ProviderErrorFields) {
    super(typeof fields.code === 'number' ? `${fields.title} (provider code ${fields.code})` : fields.title);
    this.name = 'ProviderError';
    this.errorClass = fields.errorClass;
    this.code = fields.code ?? null;
    this.httpStatus = fields.httpStatus ?? null;
    this.title = fields.title;
    this.details = fields.details ?? null;
    this.retryAfter = fields.retryAfter;
    this.userTitle = fields.userTitle;
    this.userMessage = fields.userMessage;
    this.subcode = fields.subcode;
    this.known = fields.known ?? true;
  }
}
