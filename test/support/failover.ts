import { expect } from '@jest/globals';
import { messageLogIdOf } from './copies.js';
import { eventually } from './eventually.js';
import { addNumbers, takenFrom } from './numbers.js';
import type { TestService } from './service.js';

/** Messages a second of each number, and the seconds for which it has messages. */
const RATE = 20;
const SECONDS = 3;

/**
 * Sends messages of several numbers, and has `fault` happen when a part of them is out. Expects that all go out, each of
 * them once, and that the provider refuses none for its number's rate.
 */
export async function expectSentThrough(
  service: TestService,
  count: number,
  fault: () => Promise<void>,
): Promise<void> {
  const { numbers, queue } = await addNumbers(service, Array<number>(count).fill(RATE));
  for (const { id } of numbers) await queue(id, RATE * SECONDS);
  const taken = () => numbers.flatMap(({ phone_number_id: phone }) => takenFrom(service, phone));
  const all = count * RATE * SECONDS;
  await eventually(() => expect(taken().length).toBeGreaterThan(all / 4));
  await fault();
  await eventually(() => expect(taken().length).toBeGreaterThanOrEqual(all));
  expect(new Set(taken().map(messageLogIdOf)).size).toBe(all);
  expect(taken()).toHaveLength(all);
  expect((await service.api.get('/metrics')).text).not.toMatch(/error_class="(number|pair)_rate"/);
}
