import type { ErrorCode, ErrorDetail } from '../../common/errors.js';

/** What the documentation says of an error; message and details are those of a real answer. */
export interface ErrorExample {
  when: string;
  message: string;
  details: ErrorDetail[];
}

const example = (when: string, message: string, ...details: ErrorDetail[]): ErrorExample => ({
  when,
  message,
  details,
});

/** A fault whose one detail repeats the message. */
const scheduleFault = (when: string, field: string, message: string) =>
  example(when, message, { field, message });

/** By code: every error has its entry, or this does not compile. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorExample> = {
  VALIDATION_FAILED: example(
    'The request has the wrong shape; one detail for each fault. Unknown fields are faults too.',
    'schedule_at: property schedule_at should not exist.',
    { field: 'schedule_at', message: 'property schedule_at should not exist' },
  ),
  INVALID_JSON: example('The body is not JSON.', 'The body is not JSON.'),
  UNAUTHORIZED: example(
    'The API key is missing, unknown, expired or revoked.',
    'Send a valid API key in the header "Authorization: Bearer <API_KEY>".',
  ),
  FORBIDDEN: example(
    'The verification token of the webhook receiver is wrong.',
    'hub.verify_token is not the WEBHOOK_VERIFY_TOKEN of this service.',
  ),
  TENANT_FORBIDDEN: example(
    'The key may not act for the tenant in `X-TENANT-ID`, or could act for several and none is named.',
    'This API key may not act for the tenant in X-TENANT-ID.',
  ),
  SCOPE_MISSING: example(
    'The key is valid, but lacks the scope that the operation needs; `details[0].scope` names it.',
    'This API key lacks the scope messages:send, which this operation needs: use a key that has it.',
    { scope: 'messages:send' },
  ),
  ACCOUNT_NOT_FOUND: example(
    'The tenant has no messaging account with this id.',
    'There is no messaging account with this id; see the numbers in the dashboard.',
    { field: 'messaging_account_id' },
  ),
  TEMPLATE_NOT_FOUND: example(
    'The account has no template of this name and language, or it is not approved: `details[0].status` then says what it is.',
    'Template winter_offer is not approved; its status is PENDING.',
    { field: 'data.name', status: 'PENDING' },
  ),
  MESSAGE_NOT_FOUND: example('The tenant has no message with this id.', 'There is no message with this id.', {
    field: 'message_log_id',
  }),
  OPT_OUT_NOT_FOUND: example(
    'The tenant has no opt-out of this recipient.',
    'There is no opt-out of this recipient.',
    { field: 'phone' },
  ),
  WEBHOOK_ENDPOINT_NOT_FOUND: example(
    'The tenant has no webhook endpoint with this id.',
    'There is no webhook endpoint with this id.',
    { field: 'webhook_endpoint_id' },
  ),
  NOT_FOUND: example(
    'There is no such path.',
    'There is nothing at /api/v1/nothing; see /docs for what there is.',
  ),
  METHOD_NOT_ALLOWED: example(
    'The path does not know the method; the `Allow` header names those it knows.',
    'DELETE is not possible here; see the Allow header.',
  ),
  REQUEST_TIMEOUT: example(
    'The headers or the body have not come in time.',
    'The body has not come in time. Send it without a pause.',
  ),
  MESSAGE_NOT_CANCELABLE: example(
    'The message is no longer waiting.',
    'The message is no longer waiting; its status is sent.',
    { field: 'message_log_id', status: 'sent' },
  ),
  IDEMPOTENCY_KEY_IN_USE: example(
    'The first request with this `Idempotency-Key` has not ended yet; repeat it.',
    'The first request with this Idempotency-Key has not ended yet.',
  ),
  CURSOR_EXPIRED: example(
    'Events after this cursor are no longer kept, or the database has been restored to a moment before it.',
    'The cursor has expired. Events after it are no longer kept. Read without it, from the oldest event on.',
    { field: 'after' },
  ),
  PAYLOAD_TOO_LARGE: example(
    'The body is larger than 256 KiB, or that of a batch than 2 MiB.',
    'The body is larger than the service takes.',
  ),
  UNSUPPORTED_MEDIA_TYPE: example(
    'The body is not declared as `application/json`.',
    'Send the body as JSON, with "Content-Type: application/json".',
  ),
  UNKNOWN_EXPECT: example(
    'The header `Expect` asks for something else than `100-continue`.',
    'The service knows no other "Expect" than "100-continue".',
  ),
  TEMPLATE_HEADER_MEDIA_REQUIRED: example(
    'The template has an image, video or document header and the request has no header component with such media. Nothing is sent or charged.',
    'Template spring_offer needs an image in a header component, by link or id; the request has no header component.',
    { field: 'data.components', expected: 'image' },
  ),
  TEMPLATE_PARAMS_MISMATCH: example(
    'The parameters do not fit the placeholders of the body, the text header or a button; or a named one is missing or unknown.',
    'Template order_update has 2 placeholders, the body component carries 3 parameters.',
    { field: 'data.components[0].parameters', expected: 2, actual: 3 },
  ),
  TEMPLATE_PAUSED: example(
    'The provider has paused the template because of its quality.',
    'The provider has paused template weekly_news because of its quality.',
    { field: 'data.name', status: 'PAUSED' },
  ),
  INVALID_PHONE: example(
    'The phone number is not a possible international one.',
    'The phone number is not a possible international number. Give the country code and the number, as in +971501234567.',
    { field: 'phone' },
  ),
  RECIPIENT_OPTED_OUT: example(
    'The recipient has opted out: of marketing, or of everything. `details[0].scope` says which.',
    'The recipient has opted out of marketing.',
    { field: 'phone', scope: 'marketing' },
  ),
  TIMEZONE_REQUIRED: scheduleFault(
    '`scheduled_at` without `timezone`.',
    'timezone',
    'scheduled_at requires timezone, as in Europe/Berlin.',
  ),
  INVALID_TIMEZONE: scheduleFault(
    '`timezone` is not an IANA time zone.',
    'timezone',
    'timezone must be an IANA time zone name, as in Europe/Berlin.',
  ),
  SCHEDULED_AT_IN_PAST: scheduleFault(
    '`scheduled_at` is more than 60 seconds in the past.',
    'scheduled_at',
    'scheduled_at is more than 60 seconds in the past.',
  ),
  SCHEDULED_AT_TOO_FAR: scheduleFault(
    '`scheduled_at` is more than 365 days ahead.',
    'scheduled_at',
    'scheduled_at is more than 365 days ahead.',
  ),
  VALID_UNTIL_IN_PAST: example(
    '`valid_until` is not after the time at which the message is due.',
    'valid_until must be after the time at which the message is due.',
    {
      field: 'valid_until',
      message: 'valid_until must be after the time at which the message is due.',
      due_at: '2026-12-24T14:00:00.000Z',
    },
  ),
  COST_ABOVE_MAX: example(
    'The message costs more than its `max_cost`. Nothing is charged.',
    'The message costs 0.02 USD, more than its max_cost of 0.01.',
    { field: 'max_cost', expected: 0.01, actual: 0.02, currency: 'USD' },
  ),
  EXPECTATION_FAILED: example(
    'The template has another category or other content than `expect` says; one detail for each difference.',
    'Template order_update has another category than expected.',
    { field: 'expect.category', expected: 'UTILITY', actual: 'MARKETING' },
  ),
  SPEND_LIMIT_REACHED: example(
    'A spending limit of the tenant, the account or the API key has no room for the message in this day or month (UTC). One detail for each such limit: what it is for, and when it begins anew. Nothing is charged.',
    'The daily limit of the API key, 100 USD, has no room for this message; it begins anew at 2026-12-25T00:00:00.000Z.',
    {
      limit: 'api_key',
      period: 'day',
      amount: 100,
      spent: 99.99,
      currency: 'USD',
      begins_anew_at: '2026-12-25T00:00:00.000Z',
    },
  ),
  MESSAGING_ACCOUNT_REQUIRED: example(
    '`data.params` without `messaging_account_id`, and the tenant does not have exactly one account.',
    'Name the account to send from in messaging_account_id: the tenant does not have exactly one.',
    { field: 'messaging_account_id' },
  ),
  URL_NOT_ALLOWED: example(
    'The URL of a webhook endpoint is not https, or does not lead to a public address.',
    'url must lead to a public address, not to a private, loopback or link-local one.',
    {
      field: 'url',
      message: 'url must lead to a public address, not to a private, loopback or link-local one.',
    },
  ),
  IDEMPOTENCY_KEY_REUSED: example(
    'The `Idempotency-Key` was used for another body.',
    'This Idempotency-Key was used for another body; use a new one.',
  ),
  RATE_LIMITED: example(
    'Too many requests with this key, or too many failed authentications from this address.',
    'Too many requests with this API key. Try again in 12 s.',
  ),
  HEADERS_TOO_LARGE: example(
    'The headers, with path and query, are larger than 16 KiB.',
    'The headers, with path and query, are larger than 16 KiB.',
  ),
  INTERNAL_ERROR: example(
    'The service failed. The answer carries nothing but the request id.',
    'The service failed. Report the request id if it happens again.',
  ),
  SERVICE_UNAVAILABLE: example(
    'The database cannot be reached. Nothing was accepted.',
    'The database cannot be reached; nothing was accepted. Try again.',
  ),
};
