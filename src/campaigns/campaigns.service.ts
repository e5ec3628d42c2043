import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { resolveSchedule } from '../messages/schedule/schedule.js';
import { MessageLogStore } from '../messages/message-log.store.js';
import { CampaignCheckService } from './campaign-check.service.js';
import { type CampaignRow, CampaignStore, type DraftChanges } from './campaign.store.js';
import type { CampaignStatus } from './domain/campaign-status.js';
import { type FileRow, readRecipientsFile } from './recipients-file.js';
import { RecipientsStore } from './recipients.store.js';

/** Rows written by one statement. */
const UPLOAD_BATCH = 1_000;

/** The fields of a new draft, or changes of one. */
export interface DraftInput {
  name?: string | undefined;
  messaging_account_id?: string | undefined;
  template?: { name: string; language: string } | undefined;
  mapping?: DraftChanges['mapping'];
  auto_retry?: boolean | undefined;
}

/** When to start; without a time, at once. */
export interface StartInput {
  revision: number;
  /** Whether to skip the rows that the check has found faulty; required only when there are some. */
  leave_out_faulty?: boolean | undefined;
  scheduled_at?: string | undefined;
  timezone?: string | undefined;
}

/** Sends one template to many: drafts, and what people do with them. The CampaignFeeder does the sending. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly campaigns: CampaignStore,
    private readonly recipients: RecipientsStore,
    private readonly checks: CampaignCheckService,
    private readonly accounts: AccountsService,
    private readonly messages: MessageLogStore,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError NOT_FOUND, for another tenant's campaign too */
  async find(tenantId: string, id: number): Promise<CampaignRow> {
    const campaign = await this.campaigns.find(tenantId, id);
    if (campaign) return campaign;
    throw new ApiError('NOT_FOUND', 'There is no such campaign.');
  }

  async create(
    tenantId: string,
    createdBy: string,
    input: { name: string; messaging_account_id: string; template: { name: string; language: string } },
  ): Promise<CampaignRow> {
    const account = await this.accounts.find(tenantId, input.messaging_account_id);
    const { name, template } = input;
    const draft = { name, template, messagingAccountId: account.id };
    return this.find(tenantId, await this.campaigns.create(tenantId, createdBy, draft));
  }

  /** @throws ApiError CONFLICT when it has been changed since that revision, or is no draft */
  async edit(tenantId: string, id: number, revision: number, input: DraftInput): Promise<CampaignRow> {
    const { messaging_account_id: apiId, auto_retry: autoRetry, ...changes } = input;
    const account = apiId === undefined ? undefined : await this.accounts.find(tenantId, apiId);
    const isEdited = await this.campaigns.edit(tenantId, id, revision, {
      ...changes,
      messagingAccountId: account?.id,
      autoRetry,
    });
    const campaign = await this.find(tenantId, id);
    if (!isEdited) throw changedMeanwhile(campaign);
    return campaign;
  }

  /** Replaces the draft's recipients by those of a file, which is read as it arrives. */
  async upload(
    tenantId: string,
    id: number,
    file: { name: string; chunks: AsyncIterable<Uint8Array> },
  ): Promise<CampaignRow> {
    const token = await this.recipients.beginUpload(tenantId, id);
    if (token === null) throw changedMeanwhile(await this.find(tenantId, id));
    let columns: string[] | undefined;
    let rows = 0;
    let batch: FileRow[] = [];
    const write = async () => {
      if (!(await this.recipients.append(id, token, batch))) throw superseded();
      rows += batch.length;
      batch = [];
    };
    for await (const row of readRecipientsFile(file.chunks)) {
      if (columns) batch.push(row);
      else columns = row.cells;
      if (batch.length === UPLOAD_BATCH) await write();
    }
    await write();
    const whole = { name: file.name, columns: columns ?? [], rows };
    if (!(await this.recipients.endUpload(id, token, whole))) throw superseded();
    return this.find(tenantId, id);
  }

  async check(tenantId: string, id: number): Promise<CampaignRow> {
    const campaign = await this.find(tenantId, id);
    if (campaign.status !== 'draft') throw changedMeanwhile(campaign);
    await this.checks.check(campaign);
    return this.find(tenantId, id);
  }

  /**
   * Starts a checked campaign, now or at a later time. Repeating the call starts it only once.
   * @throws ApiError CONFLICT when it was changed since the check, or has faulty rows that are not to be left out; the
   * errors of a schedule; those of the template when it cannot be sent any more
   */
  async start(tenantId: string, id: number, input: StartInput): Promise<CampaignRow> {
    const campaign = await this.find(tenantId, id);
    if (campaign.status !== 'draft') return campaign; // a second click
    this.requireStartable(campaign, input);
    const template = await this.checks.requireTemplate(campaign);
    if (template.id !== campaign.template_id || template.revision !== campaign.template_revision)
      throw new ApiError('CONFLICT', 'The template was changed since the check; check again.');
    const now = this.clock.now();
    const { scheduled_at: scheduledAt, timezone } = input;
    const schedule = resolveSchedule(
      { ...(scheduledAt && { scheduledAt }), ...(timezone && { timezone }) },
      now,
    );
    const when = { startsAt: schedule.scheduledAt, timezone: schedule.timezone };
    const isStarted = await this.campaigns.start(tenantId, id, input.revision, when);
    const after = await this.find(tenantId, id);
    if (!isStarted && after.status === 'draft') throw changedMeanwhile(after);
    return after;
  }

  async pause(tenantId: string, id: number): Promise<CampaignRow> {
    const isPaused = await this.campaigns.pause(tenantId, id);
    if (isPaused) await this.recipients.noteAccepted(id);
    return this.requireStatus(tenantId, id, ['paused']);
  }

  /** Goes on with the template as it is now. @throws ApiError as a send would for the account and the template */
  async resume(tenantId: string, id: number): Promise<CampaignRow> {
    const campaign = await this.find(tenantId, id);
    if (campaign.status === 'paused') {
      const template = await this.checks.requireTemplate(campaign);
      await this.campaigns.resume(tenantId, id, template);
    }
    return this.requireStatus(tenantId, id, ['scheduled', 'running', 'finished']);
  }

  /** Ends it: waiting messages are canceled and refunded. A repeated call goes on where the first was interrupted. */
  async cancel(tenantId: string, id: number): Promise<CampaignRow> {
    await this.campaigns.cancel(tenantId, id);
    await this.requireStatus(tenantId, id, ['canceled']);
    await this.recipients.noteAccepted(id);
    await this.messages.cancelCampaign(tenantId, id);
    return this.find(tenantId, id);
  }

  /** Deletes a draft. @throws ApiError CONFLICT when it is no draft any more: its messages are on record */
  async delete(tenantId: string, id: number): Promise<void> {
    if (await this.campaigns.delete(tenantId, id)) return;
    throw changedMeanwhile(await this.find(tenantId, id));
  }

  private requireStartable({ verdict, revision }: CampaignRow, input: StartInput): void {
    if (revision !== input.revision || !verdict)
      throw new ApiError('CONFLICT', 'The campaign was changed since it was checked; check it again.');
    if (verdict.good === 0)
      throw new ApiError('CONFLICT', 'No recipient is without a fault: there is nothing to send.');
    if (verdict.bad > 0 && input.leave_out_faulty !== true)
      throw new ApiError('CONFLICT', 'Some rows have faults: correct them, or confirm to leave them out.', [
        { field: 'leave_out_faulty', message: `${verdict.bad} rows have faults.` },
      ]);
  }

  private async requireStatus(tenantId: string, id: number, wanted: CampaignStatus[]): Promise<CampaignRow> {
    const campaign = await this.find(tenantId, id);
    if (wanted.includes(campaign.status)) return campaign;
    throw new ApiError('CONFLICT', `This is not possible: the campaign is ${campaign.status}.`, [
      { field: 'status', status: campaign.status },
    ]);
  }
}

function superseded(): ApiError {
  return new ApiError('CONFLICT', 'Another file was uploaded to this campaign meanwhile.');
}

function changedMeanwhile({ status }: CampaignRow): ApiError {
  const message =
    status === 'draft'
      ? 'The campaign was changed meanwhile, perhaps in another window; look at it again.'
      : `Only drafts can be changed; the campaign is ${status}.`;
  return new ApiError('CONFLICT', message, [{ field: 'status', status }]);
}
