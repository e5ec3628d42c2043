import { renameSync, writeFileSync } from 'node:fs';
import { MovableClock } from '../common/clock.js';
import { clockFile, readClockAhead } from '../config/embedded-env.js';

/** The clock of a data folder: a restart finds it as far ahead as it was, as its data are. */
export async function openKeptClock(dataDir: string): Promise<MovableClock> {
  const file = clockFile(dataDir);
  return new MovableClock(await readClockAhead(dataDir), (ahead) => {
    // At once and whole: nothing may be written at a time that the next start does not know of.
    writeFileSync(`${file}.draft`, `${JSON.stringify({ ahead })}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.draft`, file);
  });
}
