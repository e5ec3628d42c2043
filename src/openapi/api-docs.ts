import { applyDecorators } from '@nestjs/common';
import {
  ApiHeader,
  type ApiHeaderOptions,
  ApiResponse,
  type ApiResponseNoStatusOptions,
  ApiTags,
} from '@nestjs/swagger';
import { ERROR_EXAMPLES, type ErrorExample } from './dto/error-examples.dto.js';
import { ErrorResponse } from './dto/error-response.dto.js';
import { ERROR_STATUS, type ErrorCode } from '../common/errors.js';

/** The name of the security scheme in the document. */
export const API_KEY_SCHEME = 'api_key';

/** What every operation can answer: the checks before it is reached, and faults of the service. */
const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'TENANT_FORBIDDEN',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

const REQUEST_ID = '6f0c1f4e-5d0b-4f3a-9a43-6b1f0c1d2e3f';

type Headers = NonNullable<ApiResponseNoStatusOptions['headers']>;

const header = (description: string, example: string | number, type = 'string'): Headers[string] => ({
  description,
  schema: { type },
  example,
});

/** On every answer, whatever its status. */
export const REQUEST_ID_HEADER: Headers = {
  'X-Request-Id': header(
    "The id of this request: the caller's own, or one that the service made.",
    REQUEST_ID,
  ),
};
const RETRY_AFTER: Headers = {
  'Retry-After': header('Seconds after which to try again.', 12, 'integer'),
};

const ERROR_HEADERS: Partial<Record<ErrorCode, Headers>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': header('How to authenticate.', 'Bearer') },
  IDEMPOTENCY_KEY_IN_USE: {
    'Retry-After': header('Seconds after which to try again, if known.', 1, 'integer'),
  },
  RATE_LIMITED: RETRY_AFTER,
  SERVICE_UNAVAILABLE: RETRY_AFTER,
};

/**
 * An optional request header. Its example stands in the schema: Swagger UI would fill in an `example` of the parameter,
 * and who only presses the button should send none of these headers.
 */
export const OptionalHeader = (options: ApiHeaderOptions, ...examples: string[]) =>
  ApiHeader({ ...options, required: false, schema: { type: 'string', ...options.schema, examples } });

const TenantHeader = OptionalHeader(
  {
    name: 'X-TENANT-ID',
    description:
      'The tenant to act for. Only a platform key needs it; with a key that belongs to one tenant, as the demo key does, leave it out or name that tenant.',
    schema: { type: 'string', format: 'uuid' },
  },
  '0b9f2c1e-7a34-4d55-9c1b-3f8e2a6d7c10',
);
const RequestIdHeader = OptionalHeader(
  {
    name: 'X-Request-Id',
    description:
      'Your own id for this request, of at most 128 visible ASCII characters; it comes back in the answer. Another one is replaced.',
    schema: { type: 'string', maxLength: 128 },
  },
  REQUEST_ID,
);

/** A controller of the public API: its tag and the headers that all of its operations take. */
export const ApiPublic = (tag: string) => applyDecorators(ApiTags(tag), TenantHeader, RequestIdHeader);

/** The answer of an operation that succeeded. */
export const ApiSuccess = (status: number, options: ApiResponseNoStatusOptions) =>
  ApiResponse({ ...options, status, headers: { ...options.headers, ...REQUEST_ID_HEADER } });

/** An error of one operation: its code, with an example where the general one does not fit well. */
export type OperationError = ErrorCode | ({ code: ErrorCode } & Partial<ErrorExample>);

/** The errors of an operation, besides those of all operations. Swagger merges errors with the same status. */
export const ApiErrors = (...errors: OperationError[]) =>
  applyDecorators(...[...errors, ...COMMON_ERRORS].map((error) => errorResponse(error)));

function errorResponse(error: OperationError) {
  const { code, ...special } = typeof error === 'string' ? { code: error } : error;
  const { when, message, details } = { ...ERROR_EXAMPLES[code], ...special };
  const value = { success: false, error: { code, message, details }, request_id: REQUEST_ID };
  return ApiResponse({
    status: ERROR_STATUS[code],
    description: `- \`${code}\`: ${when}`,
    type: ErrorResponse,
    headers: { ...ERROR_HEADERS[code], ...REQUEST_ID_HEADER },
    examples: { [code]: { summary: code, value } },
  });
}
