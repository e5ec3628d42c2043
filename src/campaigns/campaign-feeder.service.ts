import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { type Heartbeat, Heartbeats } from '../common/heartbeat.js';
import { Database, type Queryable } from '../database/database.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { MessagesService } from '../messages/messages.service.js';
import type { SendableTemplate } from '../templates/templates.service.js';
import { CampaignCheckService } from './campaign-check.service.js';
import { type CampaignRow, CampaignStore } from './campaign.store.js';
import type { PauseCause } from './domain/campaign-status.js';
import { fillRow, mappingFaults } from './domain/mapping.js';
import { readRefusal, type Refusal } from './domain/row-refusal.js';
import { type PendingRow, RecipientsStore, type RowOutcome } from './recipients.store.js';
import { bodyOf } from './row-message.js';

/** Milliseconds between two looks: the highest rate (1,000 a second) does not use up MOST_WAITING meanwhile. */
const CLOCK = 500;

/** The same while no campaign runs. */
const IDLE_CLOCK = 1_000;

/** Milliseconds without a good step, or look, after which the process is not ready. */
const PATIENCE = 30_000;

/** Rows of one step: enough to share a commit, few enough that a pause does not wait long for the step's end. */
const STEP = 200;

/** Messages that may wait, in seconds of the number's rate, and at most. A pause does not call these back. */
const SECONDS_WAITING = 5;
const MOST_WAITING = 1_000;

const CHANGED = 'The template was edited since the check. Look at it, then resume or cancel the campaign.';
const recategorised = (from: string, to: string) =>
  `The provider takes the template for ${to} now, no longer for ${from}, and so it has another price. Look at it, then resume or cancel the campaign.`;
const NOT_FILLED =
  'The template was edited, and the list has nothing for a part of it. Cancel this campaign and make a new one.';

/** The result of sending a row. */
type RowResult = { kind: 'accepted' } | Refusal;

/**
 * Turns the rows of running campaigns into messages no faster than these are sent, so that a pause or cancellation
 * takes effect at once.
 *
 * A step locks its campaign's row: one worker at a time feeds a campaign, and a pause waits for the step's end. A
 * message names the row that it is for, and a unique index forbids a second one. If a crash comes between accepting a
 * message and noting that on its row, the next step, however late, finds the message and only notes it.
 */
@Injectable()
export class CampaignFeederService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CampaignFeederService.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private stopped = false;
  private readonly heartbeat: Heartbeat;

  constructor(
    private readonly campaigns: CampaignStore,
    private readonly recipients: RecipientsStore,
    private readonly checks: CampaignCheckService,
    private readonly messages: MessagesService,
    private readonly database: Database,
    heartbeats: Heartbeats,
  ) {
    this.heartbeat = heartbeats.add('feeding campaigns', PATIENCE);
  }

  onApplicationBootstrap(): void {
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private look(): void {
    this.running = this.lookOnce();
  }

  private async lookOnce(): Promise<void> {
    const isIdle = await this.feed();
    if (!this.stopped) this.timer = setTimeout(() => this.look(), isIdle ? IDLE_CLOCK : CLOCK);
  }

  /** Campaigns take turns until none of them may have more messages waiting. @returns whether none runs */
  private async feed(): Promise<boolean> {
    try {
      let active = await this.campaigns.running();
      const isIdle = active.length === 0;
      while (active.length > 0 && !this.stopped) {
        const more: number[] = [];
        for (const id of active) {
          if (await this.step(id)) more.push(id);
          this.heartbeat.beat();
        }
        active = more;
      }
      this.report(null);
      return isIdle;
    } catch (error) {
      this.report(error); // the next look tries again
      return false;
    }
  }

  /** @returns whether another step can follow at once: the campaign has more rows, and room for their messages */
  private async step(id: number): Promise<boolean> {
    return this.database.transaction(async (connection) => {
      const campaign = await this.campaigns.take(connection, id);
      if (!campaign) return false;
      const most = Math.min(MOST_WAITING, Math.max(1, campaign.messages_per_second * SECONDS_WAITING));
      const waiting = await this.recipients.waiting(connection, id, most);
      const room = Math.min(STEP, most - waiting);
      const rows = await this.recipients.pending(connection, id, Math.max(room, 1));
      if (rows.length === 0) {
        if (waiting === 0) await this.campaigns.finish(connection, id);
        return false;
      }
      return room > 0 && (await this.sendRows(connection, campaign, rows)) && rows.length === STEP;
    });
  }

  /** @returns false when the rest has to wait */
  private async sendRows(connection: Queryable, campaign: CampaignRow, rows: PendingRow[]): Promise<boolean> {
    const template = await this.templateOf(connection, campaign);
    if (!template) return false;
    const results = await Promise.all(rows.map((row) => this.sendRow(campaign, template, row)));
    const outcomes = rows.flatMap(({ row_number }, i): RowOutcome[] => {
      const result = results[i] as RowResult;
      if (result.kind === 'accepted') return [{ row_number, state: 'accepted', fault: null }];
      return result.kind === 'refused' ? [{ row_number, state: 'refused', fault: result.fault }] : [];
    });
    await this.recipients.note(connection, campaign.id, outcomes);
    const pause = results.find((result) => result.kind === 'pause');
    if (pause) await this.campaigns.stop(connection, campaign.id, pause.cause);
    return outcomes.length === rows.length;
  }

  /** The template, if it is the checked one and can be sent. Otherwise pauses the campaign and returns null. */
  private async templateOf(connection: Queryable, campaign: CampaignRow): Promise<SendableTemplate | null> {
    try {
      const template = await this.checks.requireTemplate(campaign);
      const cause = await this.causeOfChange(connection, campaign, template);
      if (!cause) return template;
      await this.campaigns.stop(connection, campaign.id, cause);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const { code, message } = error;
      await this.campaigns.stop(connection, campaign.id, { code, message });
      return null;
    }
  }

  /** Why the template is not the one of the check, or of the last resumption; null when it is. */
  private async causeOfChange(
    connection: Queryable,
    campaign: CampaignRow,
    template: SendableTemplate,
  ): Promise<PauseCause | null> {
    const { content, category } = template;
    const isWhole = mappingFaults(content, campaign.mapping, campaign.columns ?? []).length === 0;
    if (!isWhole) return { code: 'TEMPLATE_CHANGED', message: NOT_FILLED };
    if (await this.isAsChecked(connection, campaign, template)) return null;
    const from = campaign.verdict?.category ?? category;
    if (from === category) return { code: 'TEMPLATE_CHANGED', message: CHANGED };
    const message = recategorised(from.toLowerCase(), category.toLowerCase());
    return { code: 'TEMPLATE_RECATEGORISED', message, categories: { from, to: category } };
  }

  /** True also when the number has moved to another business account whose template of that name says the same. */
  private async isAsChecked(
    connection: Queryable,
    { id, template_id: checkedId, template_revision: revision }: CampaignRow,
    template: SendableTemplate,
  ): Promise<boolean> {
    if (checkedId === null || checkedId === template.id) return revision === template.revision;
    const checked = { id: checkedId, revision: revision ?? 0 };
    if (!(await this.checks.saySame(checked, template))) return false;
    await this.campaigns.adopt(connection, id, template);
    return true;
  }

  private async sendRow(
    campaign: CampaignRow,
    template: SendableTemplate,
    { row_number, cells, accepted }: PendingRow,
  ): Promise<RowResult> {
    if (accepted) return { kind: 'accepted' };
    const filled = fillRow(template.content, campaign.mapping, cells);
    try {
      const sender = { tenantId: campaign.tenant_id };
      const of = { campaignId: campaign.id, row: row_number, template };
      await this.messages.sendRow(sender, bodyOf(campaign, filled), of);
      return { kind: 'accepted' };
    } catch (error) {
      if (error instanceof ApiError) return readRefusal(error, filled);
      if (isDatabaseUnavailable(error)) return { kind: 'later' };
      this.logger.error({
        message: 'A row could not be sent',
        campaign: campaign.id,
        row: row_number,
        error,
      });
      const message = 'The service failed to send a row; its log says why.';
      return { kind: 'pause', cause: { code: 'INTERNAL_ERROR', message } };
    }
  }

  /** Logs once that campaigns stand still, and once that they go on. */
  private report(error: unknown): void {
    const { isGood } = this.heartbeat;
    if (error && isGood) this.logger.warn(`Campaigns stand still: ${(error as Error).message}`);
    if (!error && !isGood) this.logger.log('Campaigns go on');
    if (error) this.heartbeat.miss();
    else this.heartbeat.beat();
  }
}
