import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds: far more than anything takes, however slow and busy the machine. */
const PATIENCE = 30_000;

/** Times its patience that a wait may take in all: a message may change for ever, as one with the time in it does. */
const LONGEST = 5;

/**
 * Calls `fn` until it does not throw, and returns its value: what tests do instead of sleeping. It goes on for as long as
 * something moves, that is, as what `fn` throws has another message than before.
 * @param options milliseconds: for how long nothing may move, and how often to look
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

/** To the stack as well: that is what Jest prints. */
function addToMessage(error: Error, note: string): void {
  const { message, stack = '' } = error;
  error.message = `${message}\n\n${note}`;
  error.stack = stack.replace(message, () => error.message);
}
