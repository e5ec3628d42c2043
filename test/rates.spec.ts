import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RedisConnection } from '../src/database/redis.js';
import { DeliveryService } from '../src/delivery/delivery.service.js';
import { InFlight } from '../src/delivery/in-flight.js';
import { numberKey, pairKey, pairRefusalsKey } from '../src/delivery/rates/number-keys.js';
import { NumberRateLimiter } from '../src/delivery/rates/number-rate-limiter.js';
import { PairRateLimiter } from '../src/delivery/rates/pair-rate-limiter.js';
import { DispatcherService } from '../src/scheduling/dispatcher.service.js';
import { DueWatchService } from '../src/scheduling/due-watch.service.js';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom, type TestNumber } from './support/numbers.js';
import { startTestService, type TestService } from './support/service.js';

/** The last digits of recipients of the sandbox: never answered; refused for the account's rate; for the app's rate. */
const NEVER_ANSWERED = '0132';
const ACCOUNT_RATE = '0124';
const APP_RATE = '0125';

const HOUR = 3_600_000;

describe('Rates', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const expectNoRefusal = async () =>
    expect((await service.api.get('/metrics')).text).not.toMatch(/error_class="(number|pair)_rate"/);

  const taken = (phoneNumberId: string) => takenFrom(service, phoneNumberId);

  /** The state of a number's only message. */
  const messageOf = async (id: number) => {
    const [message] = await service.database.run<{ status: string; attempts: number; due_at: Date }>(
      {
        name: 'test_message',
        text: `
          SELECT CASE WHEN o.resolve_at IS NULL THEN m.status ELSE 'sending' END AS status,
            coalesce(o.attempts, m.attempts) AS attempts, o.due_at
          FROM message_logs m LEFT JOIN outbox o ON o.message_log_id = m.id WHERE m.messaging_account_id = $1`,
      },
      [id],
    );
    return message!;
  };

  it('of several numbers are each kept at the same time, and the provider refuses no message', async () => {
    const window = 10_000; // so long that a burst, such as after a stall, is a small part of it
    const { numbers, queue } = await addNumbers(service, [20, 80, 200]);
    for (const { id, rate } of numbers) await queue(id, rate * 15);
    const start = await eventually(() => {
      const first = numbers.map((number) => taken(number.phone_number_id).at(-1)?.taken_at ?? '');
      expect(first).not.toContain('');
      return Math.max(...first.map(Date.parse)) + 500; // the tokens that were saved up for the first burst are gone
    });
    await eventually(() => expect(Date.now()).toBeGreaterThan(start + window));
    for (const { phone_number_id, rate } of numbers) {
      const times = taken(phone_number_id).map((message) => Date.parse(message.taken_at) - start);
      const measured = times.filter((time) => time >= 0 && time < window).length / (window / 1_000);
      expect(measured).toBeGreaterThan(0); // how close it comes to its rate depends on the machine
      expect(measured).toBeLessThan(rate * 1.1);
    }
    await expectNoRefusal();
  });

  describe('without the regular look at all numbers', () => {
    const dispatcher = () => service.app.get(DispatcherService);
    const watch = () => service.app.get(DueWatchService);
    let look: () => Promise<void>;
    beforeEach(() => {
      look = watch()['look'];
      watch()['look'] = () => Promise.resolve();
    });
    afterEach(() => {
      watch()['look'] = look;
      void watch()['look']();
    });

    it('let all messages of a number go that do not fit into one round', async () => {
      const { numbers, queue } = await addNumbers(service, [1_000]);
      const [{ id, phone_number_id: phone }] = numbers as [TestNumber];
      Object.assign(service.app.get(InFlight), { bound: 1_000 }); // as in a process that has already sent so many
      await queue(id, 500);
      dispatcher().wake([id]);
      await eventually(() => expect(taken(phone)).toHaveLength(500));
    });

    it('give a number another turn after a turn that failed', async () => {
      const { numbers, queue } = await addNumbers(service, [80]);
      const [{ id, phone_number_id: phone }] = numbers as [TestNumber];
      const { client } = service.app.get(RedisConnection);
      await client.set(numberKey(client, id), 'no bucket');
      const take = jest.spyOn(service.app.get(NumberRateLimiter), 'take');
      await queue(id, 1);
      dispatcher().wake([id]);
      await eventually(() => expect(take.mock.calls.length).toBeGreaterThanOrEqual(2));
      await client.del(numberKey(client, id));
      await eventually(() => expect(taken(phone)).toHaveLength(1));
    });

    it('let other numbers send while one cannot get its turns, and that one once it can', async () => {
      const { numbers, queue } = await addNumbers(service, [80, 80]);
      const [broken, sound] = numbers as [TestNumber, TestNumber];
      const { client } = service.app.get(RedisConnection);
      await client.set(numberKey(client, broken.id), 'no bucket');
      for (const { id } of numbers) await queue(id, 30);
      dispatcher().wake(numbers.map(({ id }) => id));
      await eventually(() => expect(taken(sound.phone_number_id)).toHaveLength(30));
      expect(taken(broken.phone_number_id)).toEqual([]);
      await client.del(numberKey(client, broken.id));
      await eventually(() => expect(taken(broken.phone_number_id)).toHaveLength(30));
    });

    it('give a number another turn when its permit found too much under way', async () => {
      const { numbers, queue } = await addNumbers(service, [80]);
      const [{ id, phone_number_id: phone }] = numbers as [TestNumber];
      const inFlight = service.app.get(InFlight);
      await queue(id, 1);
      const others: number[] = [];
      for (let other = -1; inFlight.roomFor(id) > 0; other -= 1)
        others.push(inFlight.enter(other, Number.MAX_SAFE_INTEGER));
      await service.app.get(DeliveryService).use({ version: 1, messagingAccountId: id, permits: 1 });
      others.forEach((count, i) => inFlight.leave(-1 - i, count));
      await eventually(() => expect(taken(phone)).toHaveLength(1));
    });
  });

  it('let the one message of a number go before the backlog of another', async () => {
    const BACKLOG = 1_500; // some twenty seconds
    const { numbers, queue } = await addNumbers(service, [80, 80]);
    const [crowded, quiet] = numbers.map(({ id, phone_number_id }) => ({ id, phone: phone_number_id }));
    await queue(crowded!.id, BACKLOG);
    await eventually(() => expect(taken(crowded!.phone).length).toBeGreaterThan(20));
    await queue(quiet!.id, 1);
    const [message] = await eventually(() => {
      expect(taken(quiet!.phone)).toHaveLength(1);
      return taken(quiet!.phone);
    });
    const inbox = service.sandbox.messages();
    const earlier = inbox
      .slice(inbox.indexOf(message!))
      .filter((each) => each.phone_number_id === crowded!.phone);
    expect(earlier.length).toBeLessThan(BACKLOG / 2); // found by the regular look, once a second
    await expectNoRefusal();
  });

  it('let a flood to one recipient delay only itself', async () => {
    const start = Date.now();
    const { numbers, queue } = await addNumbers(service, [80]);
    const [{ id, phone_number_id: phone }] = numbers as [(typeof numbers)[0]];
    await queue(id, 60, { toOne: true });
    await queue(id, 40);
    const flood = () => taken(phone).filter(({ to }) => to.includes('99999'));
    await eventually(() => expect(taken(phone).length - flood().length).toBe(40));
    const waiting = await eventually(async () => {
      const rows = await service.database.run<{ attempts: number; due_at: Date }>(
        {
          name: 'test_waiting',
          text: `
            SELECT attempts, due_at FROM outbox
            WHERE messaging_account_id = $1 AND resolve_at IS NULL AND due_at > now() ORDER BY due_at`,
        },
        [id],
      );
      expect(rows.length + flood().length).toBe(60);
      return rows;
    });
    // Fewer than 45 when the machine stalled: a message that lost its turn has used up a place of its recipient.
    expect(flood().length).toBeLessThanOrEqual(45 + (Date.now() - start) / 6_000);
    waiting.forEach(({ attempts, due_at }, i) => {
      expect(attempts).toBe(0);
      expect(due_at.getTime() - (waiting[i - 1]?.due_at.getTime() ?? 0)).toBeGreaterThan(6_000);
    });
    await expectNoRefusal();
  });

  const rates = () => service.app.get(NumberRateLimiter, { strict: false });

  it.each([
    ['80007', ACCOUNT_RATE],
    ['4', APP_RATE],
  ])(
    'of all numbers of one business account are stopped and lowered by %s, and the message is tried again',
    async (_code, suffix) => {
      const { numbers, queue } = await addNumbers(service, [80, 40]);
      const [other] = (await addNumbers(service, [80])).numbers;
      const [{ id, phone_number_id: phone }, idle] = numbers as [TestNumber, TestNumber];
      await queue(id, 1, { suffix });
      const message = () => messageOf(id);
      await eventually(async () => expect(await message()).toMatchObject({ status: 'queued', attempts: 1 }));
      expect(await rates().currentRate(id, 80)).toBe(40);
      expect(await rates().currentRate(idle.id, 40)).toBe(20);
      expect(await rates().currentRate(other!.id, 80)).toBe(80);
      const { due_at } = await message();
      expect(due_at.getTime() - service.clock.now().getTime()).toBeGreaterThan(20_000);
      expect(await rates().take(idle.id, 40, 1)).toBe(0);
      const { client } = service.app.get(RedisConnection);
      await client.hset(numberKey(client, id), 'at', 0); // the end of its pause: tests cannot move the clock of Redis
      service.clock.forward(60_000);
      await eventually(async () => expect(await message()).toMatchObject({ status: 'read', attempts: 2 }));
      expect(taken(phone)).toHaveLength(1);
    },
  );

  describe('in Redis', () => {
    const pairs = () => service.app.get(PairRateLimiter, { strict: false });
    const redis = () => service.app.get(RedisConnection, { strict: false }).client;
    let number = 900_000;
    const nextNumber = () => (number += 1);
    /** Lets so many milliseconds pass for a number's keys, as the clock of Redis cannot be moved. */
    const pass = async (id: number, milliseconds: number) => {
      for (const field of ['at', 'lowered_at', 'next_turn'])
        await redis().hincrbyfloat(numberKey(redis(), id), field, -milliseconds);
    };

    it('are halved by a refusal, at most once a second, and come back in steps', async () => {
      const id = nextNumber();
      await rates().take(id, 100, 1);
      expect(await rates().currentRate(id, 100)).toBe(100);
      await rates().slow(id);
      await rates().slow(id);
      expect(await rates().currentRate(id, 100)).toBe(50);
      await pass(id, 1_000);
      await rates().slow(id);
      expect(await rates().currentRate(id, 100)).toBe(25);
      await pass(id, 5_000);
      expect(await rates().currentRate(id, 100)).toBe(35);
      await pass(id, 60_000);
      expect(await rates().currentRate(id, 100)).toBe(100);
    });

    it('are one message a second at least', async () => {
      const id = nextNumber();
      await rates().take(id, 1, 1);
      await rates().slow(id);
      expect(await rates().currentRate(id, 1)).toBe(1);
    });

    it('stop the number until Retry-After is over', async () => {
      const id = nextNumber();
      await rates().take(id, 1_000, 1);
      await rates().slow(id, 40_000);
      await pass(id, 30_000);
      expect(await rates().take(id, 1_000, 10)).toBe(0);
      await pass(id, 11_000);
      expect(await rates().take(id, 1_000, 10)).toBe(10);
    });

    it('stop the number for as many hours as the provider says, a day at most', async () => {
      const [long, endless] = [nextNumber(), nextNumber()];
      await rates().slow(long, 2 * HOUR);
      await rates().slow(endless, 48 * HOUR);
      await pass(long, 1.9 * HOUR);
      expect(await rates().take(long, 1_000, 10)).toBe(0);
      await pass(long, 0.2 * HOUR);
      expect(await rates().take(long, 1_000, 10)).toBe(10);
      await pass(endless, 24.1 * HOUR);
      expect(await rates().take(endless, 1_000, 10)).toBe(10);
    });

    it('allow a burst of a fifth of the messages of a second', async () => {
      expect(await rates().take(nextNumber(), 80, 1_000)).toBe(16);
      expect(await rates().take(nextNumber(), 1, 1_000)).toBe(1);
    });

    it('give the whole rate and no more, however unevenly it is taken', async () => {
      const id = nextNumber();
      const start = performance.now();
      const first = await rates().take(id, 400, 1_000);
      let total = 0;
      for (let time = 0, step = 0; time < 60_000; time += step) {
        step = [10, 50, 50, 190][(time / 10) % 4] as number;
        await pass(id, step);
        total += await rates().take(id, 400, 1_000);
      }
      expect(first).toBe(80);
      const goneBy = 60 + 0.19 + (performance.now() - start) / 1_000; // the clock of the server went on meanwhile
      expect(total).toBeGreaterThanOrEqual(400 * 60 - 1);
      expect(total).toBeLessThanOrEqual(400 * goneBy);
    });

    it('let three tenths of the messages of a second leave together, however they are split into permits', async () => {
      const id = nextNumber();
      await rates().take(id, 10, 1);
      const phones = Array.from({ length: 10 }, (_, i) => `49${i}`);
      const waits = await pairs().admit(id, 0, phones);
      expect(waits).toEqual([0, 0, 0, 0, 100, 100, 100, 100, 100, 100]);
      await redis().hincrbyfloat(numberKey(redis(), id), 'next_turn', 60_000); // as if another worker had let so many leave
      expect(Math.min(...(await pairs().admit(id, 0, phones)))).toBeGreaterThan(100);
      expect(await rates().askTurn(id)).toBeGreaterThan(100);
      await pass(id, 70_000);
      expect(await rates().askTurn(id)).toBe(0);
    });

    it('let nothing leave before Retry-After is over, although permits were given before', async () => {
      const id = nextNumber();
      await rates().take(id, 10, 1);
      await rates().slow(id, 40_000);
      const [wait = 0] = await pairs().admit(id, 1, ['491']);
      expect(wait).toBeGreaterThan(30_000);
      expect(wait).toBeLessThanOrEqual(40_000);
    });

    it('give each message of a pair beyond 45 a later turn, over several calls, and do not delay other pairs', async () => {
      const id = nextNumber();
      const waits = await pairs().admit(id, 0, [...Array(47).fill('491'), '492']);
      const turn = (wait: number) => Math.floor(wait / 6_000);
      expect(waits.filter((wait) => wait === 0)).toHaveLength(46);
      expect(waits.slice(45).map(turn)).toEqual([1, 2, 0]);
      expect((await pairs().admit(id, 0, ['491', '492', '491'])).map(turn)).toEqual([3, 0, 4]);
      expect((await pairs().admit(nextNumber(), 0, ['491'])).map(turn)).toEqual([0]);
    });

    it('let nothing go to a recipient for 4^X seconds after the X-th refusal in a row, and delay no other', async () => {
      const id = nextNumber();
      const refused = async () => {
        const wait = await pairs().slow(id, '491');
        const atOnce = await pairs().slow(id, '491'); // of a call that was under way with it
        expect(atOnce).toBeLessThanOrEqual(wait);
        return wait;
      };
      /** As if so much time had passed. */
      const wait = async (milliseconds: number) => {
        for (const [key, field] of [
          [pairRefusalsKey(redis(), id, '491'), 1],
          [pairKey(redis(), id, '491'), 0],
        ] as const) {
          const parts = (await redis().get(key))!.split(' ').map(Number);
          parts[field] = (parts[field] ?? 0) - milliseconds;
          await redis().set(key, parts.join(' '), 'KEEPTTL');
        }
      };
      expect(await refused()).toBe(1_000);
      await wait(1_000);
      expect(await refused()).toBe(4_000);
      await wait(4_000);
      expect(await refused()).toBe(16_000);
      const [same, other] = await pairs().admit(id, 0, ['491', '492']);
      expect(same).toBeGreaterThan(10_000);
      expect(same).toBeLessThanOrEqual(16_100);
      expect(other).toBe(0);
      expect(await pairs().admit(nextNumber(), 0, ['491'])).toEqual([0]);
      expect(await pairs().slow(id, '491', 300_000)).toBe(300_000);
      const kept = await redis().pttl(pairRefusalsKey(redis(), id, '491'));
      expect(kept).toBeLessThanOrEqual(360_000);
    });

    it('keep the bucket of a pair no longer than it takes to fill', async () => {
      const id = nextNumber();
      await pairs().admit(id, 0, ['491']);
      const left = await redis().pttl(pairKey(redis(), id, '491'));
      expect(left).toBeGreaterThan(5_000);
      expect(left).toBeLessThanOrEqual(6_100);
    });

    it('get back the tokens of messages that may not leave', async () => {
      const id = nextNumber();
      expect(await rates().take(id, 100, 20)).toBe(20);
      await pairs().admit(id, 20, ['491', '492']);
      expect(await rates().take(id, 100, 20)).toBeGreaterThanOrEqual(18);
    });
  });
});

it('A number whose calls hang leaves room for the others', async () => {
  const service = await startTestService({
    DELIVERY_IN_FLIGHT: 8,
    PROVIDER_TIMEOUT: 120_000,
    SHUTDOWN_GRACE: 1,
  });
  try {
    const { numbers, queue } = await addNumbers(service, [80, 80, 80]);
    const [first, second, third] = numbers.map(({ id }) => id) as [number, number, number];
    await queue(first, 60, { suffix: NEVER_ANSWERED });
    await queue(second, 60, { suffix: NEVER_ANSWERED });
    const sending = async () =>
      (
        await service.database.run({
          name: 'test_sending',
          text: 'SELECT FROM outbox WHERE resolve_at IS NOT NULL',
        })
      ).length;
    await eventually(async () => expect(await sending()).toBeGreaterThan(4));
    await queue(third, 60);
    await eventually(() => expect(service.sandbox.takenCount).toBe(60));
    expect(await sending()).toBeLessThan(8);
  } finally {
    await service.stop();
  }
});
