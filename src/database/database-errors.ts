import { isNativeError } from 'node:util/types';
import { type Backend, NoAnswerError } from './bounded-client.js';

/** SQLSTATEs of a time limit: for a lock, for a statement, and for a transaction that does nothing. */
const LATE_STATES = /^(55P03|57014|25P03)$/;

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
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end/;

const LATE_MESSAGES = /timeout exceeded when trying to connect|due to connection timeout|timeout expired/;

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The connection was lost while a statement was under way: it may have been committed, or not. */
export class CommitUnknownError extends Error {
  constructor(
    readonly backend: Backend,
    cause: unknown,
  ) {
    super('The connection to the database was lost during a commit', { cause });
  }
}

/** The process already keeps too much that waits to be stored. Nothing was done, and a later try may succeed. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much is waiting for the database');
  }
}

/**
 * Whether the server has refused the statement and keeps the connection: then nothing of it was committed. When it ends
 * the connection, it says FATAL or PANIC. A server in another language has other words: these count as the worse case.
 */
export function isStatementRefused(error: unknown): boolean {
  return isNativeError(error) && 'severity' in error && error.severity === 'ERROR';
}

/** Whether it took too long: the database is silent, or somebody holds a lock. Whoever tries again waits as long. */
export function isTooLate(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (error instanceof NoAnswerError || LATE_MESSAGES.test(error.message)) return true;
  return LATE_STATES.test(codeOf(error)) || isTooLate(error.cause);
}

/** Whether the database cannot be used now, as opposed to a statement at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not instanceof: errors of Node's own come from another realm under Jest.
  if (!isNativeError(error)) return false;
  if (error instanceof CommitUnknownError || error instanceof QueueFullError || isTooLate(error)) return true;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseUnavailable))
    return true;
  const code = codeOf(error);
  return (
    UNAVAILABLE_NODE_CODES.has(code) ||
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}

/** SQLSTATE classes of faults in a statement's values: data, constraints, program limits. */
const REFUSED_STATES = /^(22|23|54)/;

/** Whether the statement would be refused again, however often it is tried with these values. */
export function isRefusedForGood(error: unknown): boolean {
  return isNativeError(error) && REFUSED_STATES.test(codeOf(error));
}

/**
 * SQLSTATEs of a value that no column of its type can hold: too long a text, a number out of range, an invalid date, an
 * unknown time zone, a NUL character in text or JSON, or text that is no value of the type at all.
 */
const VALUE_STATES = /^(22001|22003|2200[78]|22021|22023|22P0[25])$/;

/** Whether a value that somebody has sent is at fault; it should have been refused earlier. */
export function isValueRefused(error: unknown): boolean {
  return isNativeError(error) && VALUE_STATES.test(codeOf(error));
}

/** Whether the row is there already, by that unique index or constraint. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return isNativeError(error) && 'constraint' in error && error.constraint === constraint;
}

/** Whether the server has ended the connection, by order or as it stops: a statement that only reads may be run again. */
export function isEndedByServer(error: unknown): boolean {
  return isNativeError(error) && codeOf(error) === '57P01';
}

/** Whether the statement lost a race with another one and may simply be run again. */
export function isRaceLost(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === '40P01' || error.code === '40001');
}
