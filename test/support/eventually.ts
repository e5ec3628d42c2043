import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds: far more than anything takes, also on a slow and busy machine. */
const PATIENCE = 30_000;

/** A wait ends after so many times its patience, as an error message may change for ever, such as by a time in it. */
const LONGEST = 5;

/**
 * Calls `fn` until it does not throw, and returns its value. Tests use it in place of sleeping. It goes on as long as
 * something moves, which means that the error of `fn` has another message than before.
 * @param options milliseconds: how long nothing may move, and how often to call `fn`
 * @throws the last error, with the time it took
 */
export async function eventually<Value>(
  fn: () => Value | Promise<Value>,
  { patience = PATIENCE, interval = 25 } = {},
): Promise<Value> {
  const start = performance.now();
  let last = { message: '', at: start };
  for (;;) {
    try {
      return await fn();
    } catch (error) {
      const now = performance.now();
      const message = error instanceof Error ? error.message : String(error);
      if (message !== last.message) last = { message, at: now };
      if (now - last.at > patience || now - start > LONGEST * patience) {
        const [elapsed, still] = [now - start, now - last.at].map(Math.round);
        if (error instanceof Error)
          addToMessage(error, `(after ${elapsed} ms, the last ${still} of them without a change)`);
        throw error;
      }
    }
    await delay(interval);
  }
}

/** Adds the note to the message and to the stack, which is what Jest prints. */
function addToMessage(error: Error, note: string): void {
  const { message, stack = '' } = error;
  error.message = `${message}\n\n${note}`;
  error.stack = stack.replace(message, () => error.message);
}
