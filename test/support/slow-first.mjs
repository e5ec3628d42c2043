/** Jest's testSequencer: the files that take longest begin first, or one worker would be left with one of them. */
import Sequencer from '@jest/test-sequencer';

/**
 * Jest knows durations by its cache, but of a new clone only the files' sizes. In pairs of one that computes (processes,
 * Chromium) and some that wait meanwhile, so that the two workers do not both do the same.
 */
const SLOW = [
  'test/faults/',
  'test/rates',
  'test/scheduling',
  'test/silent-redis',
  'test/delivery',
  'test/dashboard/template-editor-page',
  'test/dashboard/campaigns.spec',
  'test/dashboard/live',
  'test/graceful-stop',
  'test/outages',
  'test/embedded',
  'test/infrastructure-faults',
  'test/dashboard/messages-page',
  'test/cut-commits',
  'test/workers',
  'test/admin',
  'test/housekeeping',
  'test/late-answers',
  'test/frequency-cap',
  '-page.spec',
];

const rank = ({ path }) => {
  const place = SLOW.findIndex((part) => path.includes(part));
  return place === -1 ? SLOW.length : place;
};

export default class SlowFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- of tests, by Jest
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
