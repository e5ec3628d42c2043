import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../common/clock.js';
import { RateLimits } from './rate-limits.js';
import { SandboxFixture, WABA } from './spec-support.js';

describe('The rate limits', () => {
  /** A clock that stands still until a test moves it. */
  class StillClock extends Clock {
    time = 1_700_000_000_000;
    override now(): Date {
      return new Date(this.time);
    }
  }
  const clock = new StillClock();
  const fixture = new SandboxFixture({ clock });
  beforeAll(() => fixture.start(3));
  afterAll(() => fixture.stop());

  const codes = async (recipients: string[]): Promise<(number | string)[]> => {
    const answers = [];
    for (const to of recipients) answers.push(await fixture.send(to));
    return answers.map(({ body }) => body.error?.code ?? 'taken');
  };

  it('allow as many messages a second as the number may send', async () => {
    const others = ['14155550171', '14155550172', '14155550173', '14155550174'];
    await expect(codes(others)).resolves.toEqual(['taken', 'taken', 'taken', 130429]);
    const refused = await fixture.send('14155550175');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([400, '1']);
    clock.time += 1000;
    await expect(codes(others)).resolves.toEqual(['taken', 'taken', 'taken', 130429]);
  });

  it('allow 45 messages to one recipient at once, then one in 6 seconds', async () => {
    const answers: (number | string)[] = [];
    for (let count = 0; count < 46; count += 1) {
      clock.time += 340;
      answers.push(...(await codes(['14155550188'])));
    }
    // In the 46 × 0.34 s two tokens have come back, and one more fits below: so the burst is 45.
    expect(new Set(answers)).toEqual(new Set(['taken']));
    clock.time += 1000;
    await expect(codes(['14155550188', '14155550188'])).resolves.toEqual(['taken', 131056]);
    clock.time += 6000;
    await expect(codes(['14155550188'])).resolves.toEqual(['taken']);
  });
});

it('An account that has used up its management calls is refused, and told in how many minutes it may go on', () => {
  const limits = new RateLimits(true, () => 0);
  for (let count = 0; count < 2_500; count += 1) limits.takeManagementCall(WABA);
  expect(limits.usageOf(WABA)).toMatchObject({ call_count: 50, estimated_time_to_regain_access: 0 });
  for (let count = 0; count < 2_500; count += 1) limits.takeManagementCall(WABA);
  expect(() => limits.takeManagementCall(WABA)).toThrow('(#80007)');
  expect(limits.usageOf(WABA)).toMatchObject({ call_count: 100, estimated_time_to_regain_access: 1 });
  expect(limits.appUsage()).toMatchObject({ call_count: 100 });
});
