import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `fn` until it does not throw, and returns its value: what tests do instead of sleeping.
 * @param options milliseconds: for how long, and how often
 * @throws the last error, with the time it took
 */
export async function eventually<Value>(
  fn: () => Value | Promise<Value>,
  { timeout = 10_000, interval = 25 } = {},
): Promise<Value> {
  const start = Date.now();
  for (;;) {
    try {
      return await fn();
    } catch (error) {
      const elapsed = Date.now() - start;
      if (elapsed > timeout) {
        if (error instanceof Error) addToMessage(error, `(still so after ${elapsed} ms)`);
        throw error;
      }
    }
    await delay(interval);
  }
}

/** To the stack as well: that is what Jest prints. */
function addToMessage(error: Error, note: string): void {
  const { message, stack = '' } = error;
  error.message = `${message}\n\n${note}`;
  error.stack = stack.replace(message, () => error.message);
}
