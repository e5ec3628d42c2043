import { expect } from '@jest/globals';
import type { Answer } from './api.js';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> {
    /**
     * Is the documented error envelope, complete and without other fields.
     * @param details exactly, when the test is about them
     */
    toBeError(status: number, code: string, details?: unknown[]): R;
    /** Is a refusal of the request: a 4xx with the envelope, not a fault of the service. */
    toBeRefusal(): R;
  }
}

const envelope = (requestId: unknown, error: object) => ({
  success: false,
  error: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/./), ...error },
  request_id: requestId,
});

const seen = ({ status, headers, body, text }: Answer) => ({
  status,
  type: headers.get('Content-Type'),
  requestId: headers.get('X-Request-Id'),
  body: body ?? text,
});

const wanted = ({ headers }: Answer, status: unknown, error: object) => ({
  status,
  type: 'application/json; charset=utf-8',
  requestId: expect.stringMatching(/^[\x21-\x7e]{1,128}$/),
  body: envelope(headers.get('X-Request-Id'), error),
});

expect.extend({
  toBeError(answer, status: number, code: string, details: unknown = expect.any(Array)) {
    const received = seen(answer as Answer);
    const expected = wanted(answer as Answer, status, { code, details });
    const { printDiffOrStringify } = this.utils;
    return {
      pass: this.equals(received, expected),
      message: () => printDiffOrStringify(expected, received, 'Expected', 'Received', true),
    };
  },

  toBeRefusal(answer) {
    const received = seen(answer as Answer);
    const expected = wanted(answer as Answer, received.status, { details: expect.any(Array) });
    const isRefused = received.status >= 400 && received.status < 500;
    const { printDiffOrStringify } = this.utils;
    return {
      pass: isRefused && this.equals(received, expected),
      message: () =>
        printDiffOrStringify({ ...expected, status: '4xx' }, received, 'Expected', 'Received', true),
    };
  },
});
