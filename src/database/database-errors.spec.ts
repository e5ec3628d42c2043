import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { NoAnswerError } from './bounded-client.js';
import {
  CommitUnknownError,
  isDatabaseUnavailable,
  isRefusedForGood,
  isStatementRefused,
  isValueRefused,
  QueueFullError,
} from './database-errors.js';

const stateError = (code: string, severity = 'ERROR') =>
  Object.assign(new DatabaseError('as the server says', 0, 'error'), { code, severity });
const nodeError = (code: string) => Object.assign(new Error(code), { code });

describe('The database', () => {
  it.each([
    ['53100', 'its disk is full'],
    ['53200', 'it is out of memory'],
    ['53300', 'it has too many connections'],
    ['57P01', 'an administrator ends it'],
    ['57P02', 'it has crashed'],
    ['57P03', 'it starts or stops'],
    ['25006', 'it has become read-only'],
    ['08006', 'its connection has failed'],
    ['58030', 'it cannot read or write'],
    ['55P03', 'somebody holds a lock for too long'],
    ['57014', 'a statement takes too long'],
  ])('cannot be used now: %s, %s', (code) => {
    expect(isDatabaseUnavailable(stateError(code))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])(
    'cannot be used now: %s',
    (code) => {
      expect(isDatabaseUnavailable(nodeError(code))).toBe(true);
      expect(isDatabaseUnavailable(new AggregateError([nodeError(code)]))).toBe(true);
    },
  );

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'cannot be used now: %s',
    (message) => {
      expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    },
  );

  it('cannot be used now when it does not answer a statement, or when too many wait for it', () => {
    expect(isDatabaseUnavailable(new NoAnswerError(1))).toBe(true);
    expect(isDatabaseUnavailable(new QueueFullError())).toBe(true);
  });

  it('cannot be used now after a commit that may have happened', () => {
    expect(isDatabaseUnavailable(new CommitUnknownError({ id: 1, startedAt: '0' }, null))).toBe(true);
  });

  it.each(['23505', '22P02', '42601', '40P01'])('is not at fault for %s', (code) => {
    expect(isDatabaseUnavailable(stateError(code))).toBe(false);
  });
});

describe('A statement', () => {
  it.each(['22003', '22P05', '23502', '54000'])(
    'is refused for good when its values are at fault: %s',
    (code) => {
      expect(isRefusedForGood(stateError(code))).toBe(true);
    },
  );

  it.each(['22001', '22003', '22008', '22021', '22023', '22P02', '22P05'])(
    'is refused for a value of the caller that checks should have stopped: %s',
    (code) => {
      expect(isValueRefused(stateError(code))).toBe(true);
      expect(isDatabaseUnavailable(stateError(code))).toBe(false);
    },
  );

  it.each(['22012', '23505', '42601', '53100'])('is not refused for a value of the caller: %s', (code) => {
    expect(isValueRefused(stateError(code))).toBe(false);
  });

  it.each(['40P01', '55P03', '57014', '53100', '42501'])('may be tried again after %s', (code) => {
    expect(isRefusedForGood(stateError(code))).toBe(false);
  });

  it('was refused when the server says ERROR and goes on', () => {
    expect(isStatementRefused(stateError('53100'))).toBe(true);
  });

  it.each([
    ['the server ends the connection', stateError('57P01', 'FATAL')],
    ['the server falls', stateError('53100', 'PANIC')],
    ['the connection is cut', nodeError('ECONNRESET')],
    ['no answer comes', new NoAnswerError(1)],
  ])('may have been committed when %s', (_what, error) => {
    expect(isStatementRefused(error)).toBe(false);
  });
});
