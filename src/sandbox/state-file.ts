import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StateSnapshot } from './sandbox-state.js';

/** A change is on disk at the latest this many milliseconds later. */
const SAVE_DELAY = 500;

/** A JSON file that follows the state: written as a whole, by rename, so that a crash leaves the old or the new one. */
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

  /** Saves soon; many changes make one write. */
  changed(): void {
    this.isStale = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // A full or read-only disk must not end the sandbox; the next change, or stop, tries again.
      this.save().catch(() => {});
    }, SAVE_DELAY);
  }

  /** Writes now what has changed, cancels what was to be saved later. Rejects when the file cannot be written. */
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
