import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryService } from '../src/delivery/delivery.service.js';
import { InFlight } from '../src/delivery/in-flight.js';
import { NumberRateLimiter } from '../src/delivery/rates/number-rate-limiter.js';
import { PairRateLimiter } from '../src/delivery/rates/pair-rate-limiter.js';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom } from './support/numbers.js';
import { startTestService, type TestService } from './support/service.js';

/** Messages a second: so few that the speed of the machine does not matter. */
const RATE = 20;
/** Three times as many as the provider accepts at once. */
const MESSAGES = 3 * RATE;

describe('Messages that got their turns one after another before their worker stalled', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    Object.assign(get(InFlight), { bound: 1_000 }); // as in a process that has sent as many
  });
  afterAll(() => service.stop());

  const get = <Type>(type: new (...args: never[]) => Type) => service.app.get(type, { strict: false });

  /** A number with messages, and permits for all of them, given over time as its rate allows. */
  async function numberWithPermits() {
    const { numbers, queue } = await addNumbers(service, [RATE]);
    const { id, phone_number_id } = numbers[0]!;
    const permits: number[] = [];
    const sum = () => permits.reduce((total, count) => total + count, 0);
    await eventually(async () => {
      permits.push(await get(NumberRateLimiter).take(id, RATE, MESSAGES - sum()));
      expect(sum()).toBe(MESSAGES);
    });
    await queue(id, MESSAGES);
    const usePermits = () =>
      Promise.all(
        permits
          .filter((count) => count > 0)
          .map((count) => get(DeliveryService).use({ version: 1, messagingAccountId: id, permits: count })),
      );
    return { usePermits, taken: () => takenFrom(service, phone_number_id) };
  }

  const expectNoRefusal = async () =>
    expect((await service.api.get('/metrics')).text).not.toMatch(/error_class="number_rate"/);

  it('are not sent all at once when their permits come late', async () => {
    const { usePermits, taken } = await numberWithPermits();
    await usePermits();
    await eventually(() => expect(taken()).toHaveLength(MESSAGES));
    await expectNoRefusal();
  });

  it('are not sent all at once when they were admitted before the stall', async () => {
    const { usePermits, taken } = await numberWithPermits();
    const pairs = get(PairRateLimiter);
    const admit = pairs.admit;
    let goOn!: () => void;
    const stall = new Promise<void>((resolve) => (goOn = resolve));
    let admitted = 0;
    pairs.admit = async (...args) => {
      const waits = await admit.apply(pairs, args);
      admitted += waits.length;
      await stall;
      return waits;
    };
    const used = usePermits();
    await eventually(() => expect(admitted).toBe(MESSAGES));
    pairs.admit = admit;
    goOn();
    await used;
    await eventually(() => expect(taken()).toHaveLength(MESSAGES));
    await expectNoRefusal();
  });
});
