import { api } from '../../api/client';
import { toFault } from '../../api/fault';
import { clearBackup, keepBackup } from './draft-backup';
import type { DraftContent } from './types';

/** Milliseconds without a change after which a draft is saved, and after which a failed save is tried again. */
const PAUSE = 600;
const RETRY = 5_000;

export type SaveState =
  | { kind: 'new' | 'saving' | 'saved' }
  | { kind: 'failed'; reason: string }
  /** Another tab has saved meanwhile; nothing is saved until one version is chosen. */
  | { kind: 'conflict'; revision: number; savedAt: string | null };

/**
 * Saves a draft when it changes, one save at a time, each with the revision that it is based on. Unsaved changes are
 * kept in the browser, so that neither a reload nor an outage of the server loses them.
 */
export class DraftSaver {
  state: SaveState;
  private content: DraftContent | null = null;
  private saving: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;
  private isLeft = false;
  private sent: DraftContent | null = null;
  private readonly listeners = new Set<() => void>();

  /** @param revision of the draft on the server; 0 when it has none */
  constructor(
    readonly key: string,
    private readonly userId: string,
    private revision: number,
  ) {
    this.state = { kind: revision === 0 ? 'new' : 'saved' };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): SaveState => this.state;

  /** To be called when the draft has changed. */
  change(content: DraftContent): void {
    this.content = content;
    this.keep();
    if (this.state.kind === 'conflict' || this.isStopped) return;
    this.become({ kind: 'saving' });
    this.saveIn(PAUSE);
  }

  /** To be called when the page shows the draft (again). */
  enter(): void {
    this.isLeft = false;
  }

  /** To be called when the page is left: saves waiting changes at once, or keeps them in the browser. */
  leave(): void {
    this.isLeft = true;
    if (this.timer !== undefined) this.saveIn(0);
  }

  /** Saves nothing any more, and resolves when no save is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.saving;
  }

  /** Goes on after `stop`, when the submission has failed. */
  resume(): void {
    this.isStopped = false;
    if (this.content) this.saveIn(0);
  }

  /** To be called when the draft is not needed any more. */
  forget(): void {
    this.content = null;
    this.revision = 0;
    this.isStopped = false;
    clearBackup(this.userId, this.key);
    this.become({ kind: 'new' });
  }

  /** Replaces the other tab's version by this one. */
  overwrite(revision: number): void {
    this.revision = revision;
    this.become({ kind: 'saving' });
    this.saveIn(0);
  }

  /** Gives up this version for the other tab's. */
  yieldTo(revision: number): void {
    this.content = null;
    this.revision = revision;
    clearBackup(this.userId, this.key);
    this.become({ kind: 'saved' });
  }

  private saveIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.saving ??= this.save().finally(() => (this.saving = null));
    }, milliseconds);
  }

  private async save(): Promise<void> {
    const { content } = this;
    if (!content || this.isStopped) return;
    this.sent = content;
    this.keep();
    try {
      const body = { revision: this.revision, ...content };
      const saved = await api.put<{ revision: number }>(`template-drafts/${this.key}`, body);
      this.revision = saved.revision;
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.content !== content) {
      this.keep();
      this.saveIn(PAUSE);
      return;
    }
    this.content = null;
    clearBackup(this.userId, this.key);
    this.become({ kind: 'saved' });
  }

  private fail(error: unknown): void {
    const fault = toFault(error);
    const other = fault.details.find(({ field }) => field === 'revision');
    if (other) {
      const savedAt = typeof other['saved_at'] === 'string' ? other['saved_at'] : null;
      this.become({ kind: 'conflict', revision: Number(other['expected'] ?? 0), savedAt });
      return;
    }
    this.become({ kind: 'failed', reason: fault.message });
    if (!this.isStopped && !this.isLeft) this.saveIn(RETRY);
  }

  private keep(): void {
    const { content, revision, sent } = this;
    if (content) keepBackup(this.userId, this.key, { revision, content, sent });
  }

  private become(state: SaveState): void {
    // Typing during a save does not change the shown state.
    if (state.kind === 'saving' && this.state.kind === 'saving') return;
    this.state = state;
    this.listeners.forEach((listener) => listener());
  }
}
