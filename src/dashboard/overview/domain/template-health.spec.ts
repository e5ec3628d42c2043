import { describe, expect, it } from '@jest/globals';
import { ratesOf, type TemplateCounts, type Warning, warningsOf } from './template-health.js';

const template = (changes: Partial<TemplateCounts> = {}): TemplateCounts => ({
  template_id: 1,
  category: 'MARKETING',
  quality: 'GREEN',
  sent: 1_000,
  delivered: 1_000,
  read: 600,
  failed: 0,
  opted_out: 0,
  capped: 0,
  ...changes,
});
const other = (changes: Partial<TemplateCounts> = {}) => template({ template_id: 2, ...changes });

describe('A template', () => {
  it.each<[string, Partial<TemplateCounts>, Partial<TemplateCounts>, Warning[]]>([
    ['that does well has no warning', {}, {}, []],
    ['that was not rated yet has no warning', { quality: null }, {}, []],
    ['of medium quality has a warning', { quality: 'YELLOW' }, {}, ['quality_medium']],
    ['of low quality has a warning', { quality: 'RED' }, {}, ['quality_low']],
    ['that 2% refuse has a warning', { delivered: 980, failed: 20, opted_out: 20 }, {}, ['opt_outs_high']],
    ['that fewer refuse has no warning', { delivered: 981, failed: 19, opted_out: 19 }, {}, []],
    ['refused by 4 of 100 has no warning', { delivered: 96, read: 60, failed: 4, opted_out: 4 }, {}, []],
    ['refused by 9 of 99 has no warning', { delivered: 90, read: 60, failed: 9, opted_out: 9 }, {}, []],
    [
      'that reaches the marketing cap has no warning',
      { delivered: 500, read: 300, failed: 500, capped: 500 },
      {},
      [],
    ],
    ['that fails for other reasons has no warning', { delivered: 500, read: 300, failed: 500 }, {}, []],
    ['read less than half as much as others has a warning', { read: 299 }, {}, ['read_rate_low']],
    ['read half as much as others has no warning', { read: 300 }, {}, []],
    ['with few messages has no warning', { delivered: 99, read: 0 }, {}, []],
    ['beside others with few messages has no warning', { read: 0 }, { delivered: 99, read: 60 }, []],
    ['beside others that are hardly read has no warning', { read: 0 }, { read: 99 }, []],
    ['is not compared with other categories', { read: 0 }, { category: 'UTILITY' }, []],
    [
      'may have several warnings',
      { quality: 'YELLOW', delivered: 900, failed: 100, opted_out: 100, read: 10 },
      {},
      ['quality_medium', 'opt_outs_high', 'read_rate_low'],
    ],
  ])('%s', (_what, changes, others, warnings) => {
    const one = template(changes);
    expect(warningsOf(one, [one, other(others)])).toEqual(warnings);
  });
});

describe('Rates', () => {
  it('are shares of the messages that were sent, delivered or decided', () => {
    expect(ratesOf({ sent: 10, delivered: 6, read: 3, failed: 2, opted_out: 1, capped: 1 })).toEqual({
      delivery_rate: 0.6,
      read_rate: 0.5,
      failure_rate: 0.25,
      opt_out_rate: 0.125,
      cap_rate: 0.125,
    });
  });

  it('are null when there are no such messages', () => {
    expect(ratesOf({ sent: 0, delivered: 0, read: 0, failed: 0, opted_out: 0, capped: 0 })).toEqual({
      delivery_rate: null,
      read_rate: null,
      failure_rate: null,
      opt_out_rate: null,
      cap_rate: null,
    });
  });
});
