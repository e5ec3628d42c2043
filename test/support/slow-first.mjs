/** Jest's testSequencer: the files that take longest begin first, or one worker would be left with one of them. */
import Sequencer from '@jest/test-sequencer';

/** Jest knows durations by its cache, but of a new clone only the files' sizes. */
const SLOW = [
  'test/faults/',
  'test/dashboard/template-editor-page',
  'test/dashboard/campaigns',
  'test/graceful-stop',
  'test/admin',
  'test/rates',
  'test/scheduling',
  'test/delivery',
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
