/** Every error the API can answer with, and its HTTP status: the table of the interface's chapter 7. */
export const ERROR_STATUS = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  TENANT_FORBIDDEN: 403,
  SCOPE_MISSING: 403,
  ACCOUNT_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  OPT_OUT_NOT_FOUND: 404,
  WEBHOOK_ENDPOINT_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  MESSAGE_NOT_CANCELABLE: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CURSOR_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNKNOWN_EXPECT: 417,
  TEMPLATE_HEADER_MEDIA_REQUIRED: 422,
  TEMPLATE_PARAMS_MISMATCH: 422,
  TEMPLATE_PAUSED: 422,
  INVALID_PHONE: 422,
  RECIPIENT_OPTED_OUT: 422,
  TIMEZONE_REQUIRED: 422,
  INVALID_TIMEZONE: 422,
  SCHEDULED_AT_IN_PAST: 422,
  SCHEDULED_AT_TOO_FAR: 422,
  VALID_UNTIL_IN_PAST: 422,
  COST_ABOVE_MAX: 422,
  EXPECTATION_FAILED: 422,
  SPEND_LIMIT_REACHED: 422,
  MESSAGING_ACCOUNT_REQUIRED: 422,
  URL_NOT_ALLOWED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Further errors, of the dashboard's own API only. */
const DASHBOARD_ERROR_STATUS = { CONFLICT: 409, SECOND_FACTOR_REQUIRED: 401 } as const;

export type DashboardErrorCode = keyof typeof DASHBOARD_ERROR_STATUS;

/** One fault within a request; `field` is its JSON path, as in `data.components[0].parameters`. */
export interface ErrorDetail {
  field?: string;
  [key: string]: unknown;
}

/** A fault with a documented code. Thrown anywhere, answered by {@link ApiErrorFilter}; the message tells what to do. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode | DashboardErrorCode,
    message: string,
    readonly details: ErrorDetail[] = [],
    /** Seconds for the `Retry-After` header. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  get status(): number {
    return { ...ERROR_STATUS, ...DASHBOARD_ERROR_STATUS }[this.code];
  }
}
