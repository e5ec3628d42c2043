import { ERROR_STATUS } from '../../src/common/errors.js';
import { SECRETS } from '../support/service.js';
import { type FuzzAnswer, type FuzzRequest, isReadable } from './request.js';

/** The status of each code: those of the API, and those of the dashboard alone. */
const STATUS_OF: Record<string, number> = { ...ERROR_STATUS, CONFLICT: 409 };

const OWN_ID = /^[\x21-\x7e]{1,128}$/;

/** Words from stack traces, from PostgreSQL and from our own files, which no caller should see. */
const INTERNALS =
  /\\n\s*at \w|\.(?:ts|js):\d+|node_modules|\/src\/|QueryFailedError|syntax error at or near|violates \w+|relation "\w+"|invalid input syntax|ECONNREFUSED|\bSELECT\b.*\bFROM\b|\bINSERT INTO\b/;

/** Secrets that nobody is shown. The webhooks' verify token is not one of them: owners enter it at the provider. */
const KEPT_SECRETS = [
  SECRETS.encryptionKey,
  SECRETS.dashboardSessionSecret,
  SECRETS.sandboxAccessToken,
  SECRETS.sandboxAppSecret,
  SECRETS.demoPassword,
];

/** Bytes of a body after which the service may close the connection while the rest still comes. */
const MOST_READ = 256 * 1024;

/**
 * The faults of a JSON answer, whatever the request: a fault of the service, a wrong envelope, a code with another
 * status, or something that nobody should see. Empty when there is none.
 */
export function envelopeFaults(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, json } = answer;
  if (status === 0)
    return (request.body?.length ?? 0) > MOST_READ ? [] : [`the connection was closed: ${answer.text}`];
  const faults = [...leaks(request, answer), ...requestIdFaults(request, answer)];
  if (status >= 500) faults.push(`answered with ${status}: nothing was out of order but the request`);
  if (request.method === 'HEAD' || status === 304) return faults;
  if (headers['content-type'] !== 'application/json; charset=utf-8' || json === undefined)
    return [...faults, `the answer is no JSON: ${headers['content-type']} ${answer.text.slice(0, 100)}`];
  return [...faults, ...(status < 400 ? successFaults(json) : errorFaults(request, answer))];
}

function successFaults(json: unknown): string[] {
  const { success, data } = (json ?? {}) as { success?: unknown; data?: unknown };
  return success === true && data !== undefined ? [] : ['a success without its envelope'];
}

function errorFaults({ method }: FuzzRequest, { status, headers, json }: FuzzAnswer): string[] {
  const faults: string[] = [];
  const { success, error, request_id, ...others } = (json ?? {}) as Record<string, any>;
  const { code, message, details, ...more } = (error ?? {}) as Record<string, any>;
  if (success !== false || Object.keys(others).length > 0 || Object.keys(more).length > 0)
    faults.push('the envelope of an error is another one');
  if (typeof message !== 'string' || message === '') faults.push('an error without a message');
  if (!Array.isArray(details)) faults.push('details are no array');
  if (STATUS_OF[code] !== status) faults.push(`code ${code} came with status ${status}`);
  if (request_id !== headers['x-request-id']) faults.push('request_id is not the X-Request-Id');
  if ((status === 429 || status === 503) && !(Number(headers['retry-after']) > 0))
    faults.push(`a ${status} without Retry-After`);
  // CONNECT is refused whatever its target, so that there is nothing to allow.
  if (status === 405 && method !== 'CONNECT' && !headers['allow']) faults.push('a 405 without Allow');
  return faults;
}

function requestIdFaults(request: FuzzRequest, { headers }: FuzzAnswer): string[] {
  const id = headers['x-request-id'];
  const own = isReadable(request) ? request.headers['X-Request-Id'] : undefined;
  if (typeof id !== 'string' || !OWN_ID.test(id)) return [`X-Request-Id is ${String(id)}`];
  return own !== undefined && OWN_ID.test(own) && id !== own ? ["the caller's own X-Request-Id is lost"] : [];
}

/** Internals and secrets that the answer shows, except those that the request has sent. */
function leaks(request: FuzzRequest, { text }: FuzzAnswer): string[] {
  const internal = INTERNALS.exec(text)?.[0];
  const sent = `${decodeURI(safely(request.path))} ${request.body?.toString() ?? ''}`;
  return [
    ...(internal !== undefined && !sent.includes(internal) ? [`internals are shown: ${internal}`] : []),
    ...KEPT_SECRETS.filter((secret) => text.includes(secret) && !sent.includes(secret)).map(
      () => 'a secret is shown',
    ),
  ];
}

/** The path without malformed escapes, so that it can be decoded. */
function safely(path: string): string {
  try {
    decodeURI(path);
    return path;
  } catch {
    return '';
  }
}
