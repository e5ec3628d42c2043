import { describe, expect, it } from '@jest/globals';
import { classByCode, ERROR_TABLE, findCode, TEMPLATE_REFRESH_CODES } from './error-table.js';
import { classifyProviderError } from './provider-answer.js';
import { ProviderError, type ProviderErrorClass } from './provider-error.js';

/** The table of codes and classes, written out a second time on purpose. */
const TABLE: [ProviderErrorClass, string, number[]][] = [
  ['transient', 'retry', [1, 2, 131000, 131016, 131057, 133004, 134101]],
  ['account_rate', 'slow', [4, 17, 341, 613, 80007]],
  ['number_rate', 'slow', [130429]],
  ['pair_rate', 'slow', [131056]],
  ['spam', 'hold', [131048, 131064]],
  ['auth', 'hold', [0, 3, 10, 102, 104, 190, 200, 201, 250, 299, 131005]],
  ['account', 'hold', [33, 368, 131031, 131037, 131042, 131045, 133010]],
  ['category', 'hold', [131063, 134011]],
  ['template_permanent', 'fail', [132000, 132001, 132005, 132007, 132012, 132016, 132018]],
  ['template_recoverable', 'hold', [132015, 132068, 132069]],
  [
    'recipient',
    'fail',
    [
      100, 130403, 130472, 130497, 131008, 131009, 131021, 131026, 131047, 131050, 131051, 131052, 131053,
      131062, 135000,
    ],
  ],
  ['marketing_cap', 'fail', [131049]],
];
const CASES = TABLE.flatMap(([errorClass, , codes]) => codes.map((code) => ({ code, errorClass })));

describe('the error table', () => {
  it.each(CASES)('puts $code into $errorClass, whatever the HTTP status', ({ code, errorClass }) => {
    expect(classByCode(code)).toBe(errorClass);
    expect(findCode(code)?.title).toMatch(/\w{3}/);
    for (const httpStatus of [200, 400, 401, 429, 500, 503]) {
      const error = classifyProviderError({ httpStatus, body: { error: { code, message: 'as it came' } } });
      expect(error).toMatchObject({ errorClass, code, httpStatus, known: true, details: 'as it came' });
    }
  });

  it.each(TABLE)('says what %s means: %s', (errorClass, action) => {
    expect(ERROR_TABLE[errorClass].action).toBe(action);
  });

  it('has only codes that the cases have, and each once', () => {
    const codes = Object.values(ERROR_TABLE).flatMap((row) => Object.keys(row.codes).map(Number));
    const outsideRange = CASES.map(({ code }) => code).filter((code) => code < 200 || code > 299);
    expect(codes.toSorted()).toEqual(outsideRange.toSorted());
  });

  it.each([199, 300, 5, 130428, 999999, -1])('treats %d, which it does not know, as permanent', (code) => {
    expect(classByCode(code)).toBe('recipient');
    expect(findCode(code)).toBeUndefined();
    const error = classifyProviderError({ httpStatus: 503, body: { error: { code, message: 'New' } } });
    expect(error).toMatchObject({ errorClass: 'recipient', known: false, title: 'New' });
  });

  it('names the codes after which templates are read again', () => {
    expect([...TEMPLATE_REFRESH_CODES]).toEqual([132001, 132016]);
  });
});

describe('an answer without a code', () => {
  it.each([
    { httpStatus: 500, errorClass: 'transient', known: true },
    { httpStatus: 502, errorClass: 'transient', known: true },
    { httpStatus: 599, errorClass: 'transient', known: true },
    { httpStatus: 429, errorClass: 'misrouted', known: true },
    { httpStatus: 408, errorClass: 'misrouted', known: true },
    { httpStatus: 400, errorClass: 'misrouted', known: true },
    { httpStatus: 404, errorClass: 'misrouted', known: true },
    { httpStatus: 302, errorClass: 'misrouted', known: true },
    { httpStatus: 200, errorClass: 'recipient', known: false },
  ])('is $errorClass with HTTP $httpStatus', ({ httpStatus, errorClass, known }) => {
    const bodies = [undefined, null, 'text', [], {}, { error: null }, { error: 'no' }, { error: {} }];
    for (const body of bodies) {
      const error = classifyProviderError({ httpStatus, body });
      expect(error).toMatchObject({ errorClass, known, code: null, details: null });
      expect(error.title).toContain(String(httpStatus));
    }
  });
});

describe('what an error carries', () => {
  it('keeps the texts meant for the person at the editor', () => {
    const error = classifyProviderError({
      httpStatus: 400,
      body: {
        error: {
          message: 'Invalid parameter',
          code: '100',
          error_subcode: 2388047,
          error_user_title: 'Header format is wrong',
          error_user_msg: 'The header may not have line breaks.',
          error_data: { messaging_product: 'whatsapp', details: 'header' },
        },
      },
    });
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      code: 100,
      subcode: 2388047,
      title: 'Invalid parameter',
      details: 'header',
      userTitle: 'Header format is wrong',
      userMessage: 'The header may not have line breaks.',
      message: 'Invalid parameter (provider code 100)',
    });
  });

  it('cuts long details, and reads error_data that is a text too', () => {
    const error = classifyProviderError({
      httpStatus: 400,
      body: { error: { code: 1, error_data: 'x'.repeat(5_000) } },
    });
    expect(error.details).toHaveLength(1_000);
  });

  it.each([
    { header: '7', expected: 7_000 },
    { header: ' 0.5 ', expected: 500 },
    { header: ['3', '9'], expected: 3_000 },
    { header: 'Thu, 01 Jan 1970 00:01:00 GMT', expected: 50_000 },
    { header: 'Thu, 01 Jan 1970 00:00:01 GMT', expected: 0 },
    { header: '9'.repeat(30), expected: 86_400_000 },
    { header: 'Fri, 31 Dec 9999 23:59:59 GMT', expected: 86_400_000 },
    { header: 'soon', expected: undefined },
    { header: '', expected: undefined },
    { header: undefined, expected: undefined },
  ])('reads Retry-After $header', ({ header, expected }) => {
    const answer = { httpStatus: 400, body: { error: { code: 130429 } }, retryAfterHeader: header };
    expect(classifyProviderError(answer, 10_000).retryAfter).toBe(expected);
  });

  it.each([
    { header: '{"102": [{"type": "whatsapp", "estimated_time_to_regain_access": 5}]}', expected: 300_000 },
    {
      header:
        '{"1": [{"estimated_time_to_regain_access": 0}], "2": [{"estimated_time_to_regain_access": 2}, null]}',
      expected: 120_000,
    },
    { header: '{"102": [{"estimated_time_to_regain_access": 999999999}]}', expected: 86_400_000 },
    { header: '{"102": [{"call_count": 100}]}', expected: undefined },
    { header: 'null', expected: undefined },
    { header: 'soon', expected: undefined },
    { header: undefined, expected: undefined },
  ])('reads when a business account may call again from $header', ({ header, expected }) => {
    const answer = { httpStatus: 400, body: { error: { code: 80007 } }, usageHeader: header };
    expect(classifyProviderError(answer).retryAfter).toBe(expected);
    expect(classifyProviderError({ ...answer, retryAfterHeader: '7' }).retryAfter).toBe(7_000);
  });

  it('treats a code that is not in the table as transient when the provider says so', () => {
    const body = { error: { code: 999_999, message: 'Later', is_transient: true } };
    expect(classifyProviderError({ httpStatus: 400, body })).toMatchObject({
      errorClass: 'transient',
      known: true,
    });
  });

  it('contains no token, neither the one in use nor another', () => {
    const secret = 'secret+token/1';
    const text = `Malformed access token ${secret} EAAGabcdefghijklmnop`;
    const error = classifyProviderError({
      httpStatus: 401,
      secret,
      body: {
        error: {
          message: text,
          code: 190,
          error_user_title: text,
          error_user_msg: text,
          error_data: { details: text },
        },
      },
    });
    const everything = JSON.stringify(error) + error.message + error.stack;
    expect(everything).not.toMatch(/secret|EAAG/);
    expect(error.details).toBe('Malformed access token [access token] [access token]');
  });
});
