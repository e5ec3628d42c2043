import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { Clock } from '../common/clock.js';
import { CampaignStore } from '../campaigns/campaign.store.js';
import { RecipientsStore } from '../campaigns/recipients.store.js';
import { Database } from '../database/database.js';
import { DIGITS_THAT_FIT } from '../messages/receipts/receipts.sql.js';
import { type DoubtfulMessage, DoubtfulMessagesService } from '../outbox/doubtful-messages.service.js';
import { type ForgottenMessage, ForgottenMessagesService } from './forgotten-messages.service.js';
import type { Restore } from './restore.entity.js';
import { BEGIN, CAMPAIGNS, LAST_DELIVERY, LATEST, NEWER, WAITING } from './restores.sql.js';

/** What a person decides about messages that may have been sent: that they are sent (again), or fail. */
export type Decision = 'send' | 'fail';

export interface RestoreBegun {
  moment: Date;
  lost_until: Date;
  held: number;
  campaigns_paused: number;
  first_message_log_id: number;
}

export interface RestoreReport {
  moment: Date;
  lost_until: Date;
  begun_at: Date;
  /** While there are some, their receipts do not count yet. */
  deliveries_waiting: number;
  may_be_sent_twice: { count: number; messages: DoubtfulMessage[] };
  sent_and_forgotten: { count: number; messages: ForgottenMessage[] };
  campaigns: { campaign_id: number; tenant_id: string; name: string; rows_left: number; rows_sent: number }[];
}

interface PausedCampaign {
  campaign_id: number;
  tenant_id: string;
  name: string;
  phone_number_id: string;
  rows_left: number;
}

/** Milliseconds for which a decision waits for deliveries to be applied, and between two looks. */
const PATIENCE = 30_000;
const LOOK = 100;

const PAUSED = 'RESTORED';
const PAUSE = {
  code: PAUSED,
  message:
    'The database was restored to an earlier moment. Rows that are left may have been sent. Whoever runs the service can tell which: resume or cancel the campaign after that.',
};
const SENT = {
  code: 'SENT_BEFORE_RESTORE',
  message: 'The number sent a message to this recipient, of which the restored database knows nothing.',
};

/**
 * What happens after the database was restored to an earlier moment. What was due by the end of the former service may have been
 * sent: it is held until receipts tell of it or somebody decides. What was accepted after the moment is gone.
 */
@Injectable()
export class RestoresService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly doubtful: DoubtfulMessagesService,
    private readonly forgotten: ForgottenMessagesService,
    private readonly campaigns: CampaignStore,
    private readonly recipients: RecipientsStore,
  ) {}

  /**
   * To be called before the service starts on the restored database; again, it goes on where it was broken off.
   * @param lostUntil when the former service ended; null: now
   * @throws ApiError VALIDATION_FAILED for times that cannot be, or while the service runs
   */
  async begin(moment: Date, lostUntil: Date | null): Promise<RestoreBegun> {
    const until = lostUntil ?? this.clock.now();
    if (until < moment) throw fault('--lost-until', 'The service cannot have ended before the moment.');
    await this.requireStopped(moment);
    await this.database.run(BEGIN, [this.clock.now(), moment, until]);
    const restore = await this.latest();
    const paused = await this.campaigns.stopAll(restore.lostUntil, PAUSE);
    for (const id of paused) await this.recipients.noteAccepted(id);
    const held = await this.doubtful.hold(restore.lostUntil);
    return {
      moment: restore.moment,
      lost_until: restore.lostUntil,
      held,
      campaigns_paused: paused.length,
      first_message_log_id: restore.firstMessageId,
    };
  }

  /** A page of the messages that may be sent twice, after that id; and as many at most of the forgotten ones. */
  async report(after: number, limit: number): Promise<RestoreReport> {
    const restore = await this.latest();
    const forgotten = await this.forgotten.since(restore);
    const campaigns: RestoreReport['campaigns'] = [];
    for (const { phone_number_id: number, ...campaign } of await this.pausedCampaigns()) {
      const rows = await this.rowsSent(campaign.campaign_id, number, forgotten);
      campaigns.push({ ...campaign, rows_sent: rows.length });
    }
    return {
      moment: restore.moment,
      lost_until: restore.lostUntil,
      begun_at: restore.begunAt,
      deliveries_waiting: await this.waiting(await this.lastDelivery()),
      may_be_sent_twice: await this.doubtful.list(after, limit),
      sent_and_forgotten: {
        count: forgotten.length,
        messages: forgotten.filter(({ message_log_id: id }) => id > after).slice(0, limit),
      },
      campaigns,
    };
  }

  /**
   * Ends the wait of messages that may have been sent. Rows of paused campaigns whose recipients have got a forgotten message
   * of the same number are refused, whatever the decision.
   * @param ids null: all of them
   */
  async settle(decision: Decision, ids: number[] | null): Promise<{ settled: number; rows_refused: number }> {
    const restore = await this.latest();
    await this.untilApplied();
    const forgotten = await this.forgotten.since(restore);
    let refused = 0;
    for (const { campaign_id: id, phone_number_id: number } of await this.pausedCampaigns()) {
      const rows = await this.rowsSent(id, number, forgotten);
      await this.recipients.refuse(id, rows, SENT);
      refused += rows.length;
    }
    const settled = await (decision === 'send' ? this.doubtful.send(ids) : this.doubtful.fail(ids));
    return { settled, rows_refused: refused };
  }

  /** All deliveries that have come so far; others come all the time. */
  private async untilApplied(): Promise<void> {
    const last = await this.lastDelivery();
    const begun = performance.now();
    while ((await this.waiting(last)) > 0) {
      if (performance.now() - begun > PATIENCE)
        throw new ApiError(
          'SERVICE_UNAVAILABLE',
          'Deliveries are not applied yet, which may settle messages: start the service, and wait until ' +
            'deliveries_waiting of restore:report is 0.',
        );
      await delay(LOOK);
    }
  }

  private async lastDelivery(): Promise<number> {
    const [row] = await this.database.run<{ id: number }>(LAST_DELIVERY);
    return row!.id;
  }

  private async waiting(last: number): Promise<number> {
    const [row] = await this.database.run<{ waiting: number }>(WAITING, [last]);
    return row!.waiting;
  }

  private async latest(): Promise<Restore> {
    const [restore] = await this.database.run<Restore>(LATEST);
    if (restore) return restore;
    throw new ApiError('NOT_FOUND', 'The database was not restored; see restore:begin.');
  }

  /** What was written after the moment tells that the service runs on the restored database, or that the moment is wrong. */
  private async requireStopped(moment: Date): Promise<void> {
    const [row] = await this.database.run<{ newer: Date | null }>(NEWER, [moment]);
    if (row?.newer)
      throw fault(
        '--moment',
        `A process of the service has used this database at ${row.newer.toISOString()}, after the moment: stop the ` +
          'service, and restore the database again.',
      );
  }

  private pausedCampaigns(): Promise<PausedCampaign[]> {
    return this.database.run<PausedCampaign>(CAMPAIGNS, [PAUSED]);
  }

  private async rowsSent(campaignId: number, number: string, forgotten: ForgottenMessage[]) {
    const own = forgotten.filter(({ phone_number_id: of, recipient }) => of === number && recipient !== null);
    const digits = own.map(({ recipient }) => recipient!.slice(-DIGITS_THAT_FIT));
    return this.recipients.pendingTo(campaignId, digits);
  }
}

const fault = (field: string, message: string) => new ApiError('VALIDATION_FAILED', message, [{ field }]);
