import { EventHorizon } from '../../src/events/event-horizon.service.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';

/**
 * Waits until readers of the stream get all events that are committed: a transaction that runs holds them up, also one of
 * another test on the same server.
 */
export async function untilStreamIsWhole({ app }: Pick<TestService, 'app'>): Promise<void> {
  const horizon = app.get(EventHorizon, { strict: false });
  await eventually(async () => {
    if ((await horizon.reach()) < horizon.last) throw new Error('Transactions still hold the stream up');
  });
}
