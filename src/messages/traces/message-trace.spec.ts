import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readTraceparent, traceIdsOf } from './message-trace.js';

describe('The ids of a trace', () => {
  it('are always the same for a message, as documented', () => {
    const hash = createHash('sha256').update('tms:0123456789abcdef:42').digest('hex');
    expect(traceIdsOf('0123456789abcdef', 42)).toEqual({
      traceId: hash.slice(0, 32),
      rootId: hash.slice(32, 48),
    });
  });

  it('are others for another message, and in another installation', () => {
    const ids = [traceIdsOf('a', 1), traceIdsOf('a', 2), traceIdsOf('b', 1)].map(({ traceId }) => traceId);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('A traceparent', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

  it('names a trace and a span', () => {
    expect(readTraceparent(`00-${trace}-00f067aa0ba902b7-01`)).toEqual({
      traceId: trace,
      spanId: '00f067aa0ba902b7',
    });
  });

  it.each([
    undefined,
    '',
    'no trace',
    `01-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-00f067aa0ba902b7-01-more`,
  ])('is left out when it is none: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});
