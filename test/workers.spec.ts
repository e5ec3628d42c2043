import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageLogIdOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom, type TestNumber, type TestNumbers } from './support/numbers.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

const RATE = 80;
/** So long that a burst, as after a stall, is a small part of it. */
const SECONDS = 10;

describe('Two workers on one number', () => {
  let service: TestService;
  let second: Awaited<ReturnType<typeof startSecondService>>;
  let number: TestNumber;
  let queue: TestNumbers['queue'];

  beforeAll(async () => {
    service = await startTestService();
    second = await startSecondService(service, 'worker');
    const added = await addNumbers(service, [RATE]);
    number = added.numbers[0]!;
    queue = added.queue;
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });

  const taken = () => takenFrom(service, number.phone_number_id);

  /** Messages that one worker has sent, and whether any was refused for a rate. */
  async function countsOf({ api }: Pick<TestService, 'api'>) {
    const metrics = (await api.get('/metrics')).text;
    const [, sent = '0'] = /^tms_delivery_outcomes_total\{outcome="sent".*\} (\d+)$/m.exec(metrics) ?? [];
    return { sent: Number(sent), isRefused: /error_class="(number|pair)_rate"/.test(metrics) };
  }

  it('share its rate, share its work, and send no message twice', async () => {
    const count = RATE * SECONDS;
    await queue(number.id, count);
    await eventually(() => expect(taken()).toHaveLength(count));
    const ids = taken().map(messageLogIdOf);
    expect(new Set(ids).size).toBe(count);

    const times = taken().map((message) => Date.parse(message.taken_at));
    const rate = (count - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000);
    expect(rate).toBeLessThan(RATE * 1.1);
    // The provider has a message before its answer is on record, and counted.
    const counts = await eventually(async () => {
      const both = [await countsOf(service), await countsOf(second)];
      expect(both[0]!.sent + both[1]!.sent).toBe(count);
      return both;
    });
    for (const { isRefused } of counts) expect(isRefused).toBe(false);
    for (const { sent } of counts) expect(sent).toBeGreaterThan(0);
  });
});

describe('A worker that stops while an answer does not come', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ROLE: 'api', PROVIDER_TIMEOUT: 60_000, SHUTDOWN_GRACE: 5 });
  });
  afterAll(() => service.stop());

  it('claims no message that it cannot send any more', async () => {
    const first = await startSecondService(service, 'worker');
    const hanging = await service.api.send('+12025550131'); // taken, never answered
    await eventually(() => expect(service.sandbox.messages()).toHaveLength(1));
    const stopped = first.stop();
    const sent = await service.api.send('+12025550100');
    await stopped;
    const second = await startSecondService(service, 'worker');
    try {
      await eventually(async () => {
        expect(await service.api.message(sent.body.data['message_log_id'])).toMatchObject({
          status: 'read',
          attempts: 1,
        });
      });
      expect(await service.api.message(hanging.body.data['message_log_id'])).toMatchObject({ attempts: 1 });
    } finally {
      await second.stop();
    }
  });
});
