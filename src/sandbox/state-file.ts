import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StateSnapshot } from './sandbox-state.js';

/** Milliseconds after a change when it is saved, at the latest. */
const SAVE_DELAY = 500;

/** Keeps the state in a JSON file. Written as a whole, then renamed: a crash leaves the old or the new file. */
export class StateFile {
  private timer: NodeJS.Timeout | undefined;
  private isStale = false;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly snapshot: () => StateSnapshot,
  ) {}

  /** What was saved last; `undefined` when there is nothing yet. Throws when the file is not a state file. */
  load(): StateSnapshot | undefined {
    const text = this.read();
    if (text === undefined) return undefined;
    const state = parse(text);
    if (!state) {
      throw new Error(`${this.path} is not a state file of this sandbox. Delete it to start with nothing.`);
    }
    return state;
  }

  /** Saves soon; changes that come close together share one write. */
  changed(): void {
    this.isStale = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // A full or read-only disk must not end the sandbox; the next change, or stop, tries again.
      this.save().catch(() => {});
    }, SAVE_DELAY);
  }

  /** Saves changes now instead of later. Rejects when the file cannot be written. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.saving.catch(() => {});
    if (this.isStale) await this.save();
  }

  private save(): Promise<void> {
    // One write after the other: two at once would share the temporary file.
    const write = this.saving.catch(() => {}).then(() => this.write());
    this.saving = write;
    return write;
  }

  private async write(): Promise<void> {
    const temporary = `${this.path}.tmp`;
    this.isStale = false;
    try {
      await mkdir(dirname(this.path), { recursive: true });
      // Tokens and app secrets stand in it.
      await writeFile(temporary, JSON.stringify(this.snapshot()), { mode: 0o600 });
      await rename(temporary, this.path);
    } catch (error) {
      this.isStale = true;
      throw error;
    }
  }

  private read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

function parse(text: string): StateSnapshot | undefined {
  try {
    const state = JSON.parse(text) as StateSnapshot;
    return state.version === 1 ? state : undefined;
  } catch {
    return undefined;
  }
}
