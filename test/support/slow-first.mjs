/** Jest's testSequencer: the files that take longest begin first, so that no worker has one of them left at the end. */
import Sequencer from '@jest/test-sequencer';

/**
 * The slowest files, as Jest's cache of durations is empty in a new clone. Their order puts one that computes
 * (processes, Chromium) beside some that wait, so that the two workers do not compute at the same time.
 */
const SLOW = [
  'test/faults/faults',
  'test/failover',
  'test/faults/',
  'test/dashboard/lost-line',
  'test/dashboard/campaigns.spec',
  'test/alert-notices',
  'test/admin',
  'test/shards',
  'test/dashboard/template-editor-page',
  'test/silent-redis',
  'test/webhook-endpoints',
  'test/dashboard/every-page',
  'test/rates',
  'test/redis-cluster',
  'test/delivery',
  'test/graceful-stop',
  'test/scheduling',
  'test/dashboard/live',
  'test/silence',
  'test/redis-sentinel',
  'test/database/plans',
  'test/number-move',
  'test/fuzz/',
  'test/outages',
  'test/embedded',
  'test/infrastructure-faults',
  'test/cut-commits',
  'test/workers',
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
