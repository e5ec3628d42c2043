import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import type { AlertChannel } from '../alert-channel.entity.js';
import type { NoticedAlert } from '../domain/notice-text.js';
import { GATHER, GIVE_UP, waitAfter } from '../domain/notice-times.js';
import {
  GIVE_UP_UNTOLD,
  NOTE_FAILED,
  NOTE_TOLD,
  OPEN_CHANNEL,
  READ_UNTOLD,
  TAKE_CHANNEL,
} from './notices.sql.js';

/** Milliseconds for which a taken channel is left to its worker: longer than one try takes. */
const LEASE = 120_000;

/** A channel that this worker alone tells by, until the lease ends. */
export interface TakenChannel {
  name: AlertChannel['name'];
  /** Tries in a row that have failed before. */
  failures: number;
  until: Date;
}

/** Which alerts each channel has told, and who tells by it: one statement each, of notices.sql.ts. */
@Injectable()
export class NoticesStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes a channel known, with its first use: it tells nothing that was raised before. */
  async open(name: AlertChannel['name']): Promise<void> {
    await this.database.run(OPEN_CHANNEL, [name, this.clock.now()]);
  }

  /** Takes a channel that has something to tell. @returns null when there is nothing, or it is not time yet */
  async take(name: AlertChannel['name']): Promise<TakenChannel | null> {
    const until = this.after(LEASE);
    const values = [name, this.after(-GIVE_UP), this.clock.now(), until];
    const [taken] = await this.database.run<{ failures: number }>(TAKE_CHANNEL, values);
    return taken ? { name, failures: taken.failures, until } : null;
  }

  /** What a channel has yet to tell, oldest first, and how many more there are. */
  async untold({ name }: TakenChannel): Promise<{ alerts: NoticedAlert[]; more: number }> {
    const values = [name, this.after(-GIVE_UP)];
    const rows = await this.database.run<NoticedAlert & { total: number }>(READ_UNTOLD, values);
    return { alerts: rows, more: (rows[0]?.total ?? 0) - rows.length };
  }

  /** Notes that these were told; further ones are gathered for a minute. */
  async noteTold({ name, until }: TakenChannel, alerts: readonly NoticedAlert[]): Promise<void> {
    const ids = alerts.map(({ alert_id }) => alert_id);
    await this.database.run(NOTE_TOLD, [name, ids, this.clock.now(), until, this.after(GATHER)]);
  }

  /** @returns when it is tried again */
  async noteFailed({ name, failures, until }: TakenChannel): Promise<Date> {
    const next = this.after(waitAfter(failures + 1));
    await this.database.run(NOTE_FAILED, [name, until, next]);
    return next;
  }

  /** Gives up what is too old to be told. @returns the ids of the alerts */
  async giveUp(name: AlertChannel['name']): Promise<number[]> {
    const values = [name, this.after(-GIVE_UP), this.after(-2 * GIVE_UP)];
    const rows = await this.database.run<{ alert_id: number }>(GIVE_UP_UNTOLD, values);
    return rows.map(({ alert_id }) => alert_id);
  }

  private after(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() + milliseconds);
  }
}
