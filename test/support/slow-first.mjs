/** Jest's testSequencer: the files that take longest begin first, so that no worker has one of them left at the end. */
import Sequencer from '@jest/test-sequencer';

/**
 * The slowest files, as Jest's cache of durations is empty in a new clone. Their order puts one that computes
 * (processes, Chromium) beside some that wait, so that the two workers do not compute at the same time.
 */
const SLOW = [
  'test/faults/',
  'test/rates',
  'test/scheduling',
  'test/silent-redis',
  'test/redis-cluster',
  'test/redis-sentinel',
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
