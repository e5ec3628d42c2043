import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';

/** A key's use is written down at most this often, in milliseconds. */
const STEP = 60_000;

/** For how many milliseconds uses are collected before they are written together. */
const COLLECTING = 500;

/**
 * Writes down when API keys were last used, to the minute. Requests do not wait for it: they leave a note, and one
 * statement now and then writes all of them.
 */
@Injectable()
export class ApiKeyUsesService implements OnModuleDestroy {
  private readonly logger = new Logger(ApiKeyUsesService.name);
  /** When the last use of a key was noted, in milliseconds. */
  private readonly noted = new Map<string, number>();
  private unwritten = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  note(id: string): void {
    const now = this.clock.now().getTime();
    if (now - (this.noted.get(id) ?? -Infinity) < STEP) return;
    this.noted.set(id, now);
    this.unwritten.add(id);
    this.timer ??= setTimeout(() => void this.write(), COLLECTING).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    this.timer = undefined;
    const ids = [...this.unwritten];
    this.unwritten = new Set();
    if (ids.length === 0) return;
    const times = ids.map((id) => new Date(this.noted.get(id) ?? 0));
    try {
      await this.database.run(WRITE, [ids, times]);
    } catch (error) {
      // Forgotten here, so that the next use is noted again.
      for (const id of ids) this.noted.delete(id);
      this.logger.warn({ message: 'The last use of API keys could not be written down', error });
    }
  }
}

/** Keeps the later time, as another process may have written one. */
const WRITE: Statement = {
  name: 'api_keys_used',
  text: `
    UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.at)
    FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at) WHERE k.id = u.id`,
};
