/** Jest's testSequencer: the files that take longest begin first, or one worker would be left with one of them. */
import Sequencer from '@jest/test-sequencer';

/**
 * Jest knows durations by its cache, but of a new clone only the files' sizes. The first ones wait more than they
 * compute, beside the fault tests, which keep a core busy.
 */
const SLOW = [
  'test/faults/',
  'test/rates',
  'test/scheduling',
  'test/delivery',
  'test/dashboard/campaigns',
  'test/dashboard/template-editor-page',
  'test/graceful-stop',
  'test/admin',
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
