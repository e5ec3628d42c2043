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
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/** The connection was lost while a statement was under way: it may have been committed, or not. */
export class CommitUnknownError extends Error {
  /** @param backend the process id of the server's end of the connection */
  constructor(
    readonly backend: number,
    cause: unknown,
  ) {
    super('The connection to the database was lost during a commit', { cause });
  }
}

/**
 * Whether the server has refused the statement and goes on: then nothing of it was committed. It says FATAL or PANIC
 * where it ends the connection; in other languages it says other words, which are taken for the worse case.
 */
export function isStatementRefused(error: unknown): boolean {
  return isNativeError(error) && 'severity' in error && error.severity === 'ERROR';
}

/** Whether the database cannot be used now, as opposed to a statement at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not instanceof: errors of Node's own come from another realm under Jest.
  if (!isNativeError(error)) return false;
  if (error instanceof CommitUnknownError) return true;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseUnavailable))
    return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    UNAVAILABLE_NODE_CODES.has(code) ||
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

/** SQLSTATE classes of what the values of a statement are at fault for: data, constraints, limits of the program. */
const REFUSED_STATES = /^(22|23|54)/;

/** Whether the statement would be refused again, however often it is tried with these values. */
export function isRefusedForGood(error: unknown): boolean {
  return (
    isNativeError(error) &&
    'code' in error &&
    typeof error.code === 'string' &&
    REFUSED_STATES.test(error.code)
  );
}

/** Whether the row is there already, by that unique index or constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return isNativeError(error) && 'constraint' in error && error.constraint === constraint;
}

/** Whether the statement lost a race with another one and may simply be run again. */
export function isRaceLost(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === '40P01' || error.code === '40001');
}
