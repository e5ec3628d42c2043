import { isNativeError } from 'node:util/types';

/** SQLSTATE classes and codes that mean "not now": connection, resources, operator intervention, I/O, read-only. */
const UNAVAILABLE_STATES = /^(08|53|57P0[1-5]|58|25006)/;

/** What Node and the pool say when there is no connection to be had. */
const UNAVAILABLE_NODE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
]);
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** Whether the database cannot be used now, as opposed to a statement at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not instanceof: errors of Node's own come from another realm under Jest.
  if (!isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseUnavailable))
    return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    UNAVAILABLE_NODE_CODES.has(code) ||
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

/** Whether the statement lost a race with another one and may simply be run again. */
export function isRaceLost(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === '40P01' || error.code === '40001');
}
