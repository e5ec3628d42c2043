import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CampaignOutlookService } from '../../campaigns/campaign-outlook.service.js';
import { CampaignProgressService } from '../../campaigns/campaign-progress.service.js';
import { type CampaignRow, CampaignStore } from '../../campaigns/campaign.store.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { unfillable } from '../../campaigns/domain/mapping.js';
import { RecipientsStore } from '../../campaigns/recipients.store.js';
import { Reads } from '../../database/reads.js';
import { ApiError } from '../../common/errors.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { AtOnce, DashboardController, Live, Requires } from '../dashboard-controller.js';
import { CsvAnswerService } from '../exports/csv-answer.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { CampaignFaultsService } from './campaign-faults.service.js';
import { CampaignTemplatesService } from './campaign-templates.service.js';
import { viewOf } from './campaign-view.js';
import { CreateCampaignBody, EditCampaignBody, RowsQuery, StartCampaignBody } from './campaigns.dto.js';
import { PageQuery } from '../page-query.dto.js';

/** Campaigns: drafts, their start, and what becomes of them. */
@DashboardController('campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly store: CampaignStore,
    private readonly recipients: RecipientsStore,
    private readonly outlook: CampaignOutlookService,
    private readonly progress: CampaignProgressService,
    private readonly templates: CampaignTemplatesService,
    private readonly faultsFile: CampaignFaultsService,
    private readonly csv: CsvAnswerService,
    private readonly audit: AuditLogService,
    private readonly reads: Reads,
  ) {}

  /** Newest first. */
  @Live()
  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser, @Query() { limit, cursor }: PageQuery) {
    const rows = await this.store.list(tenantId, limit + 1, cursor ?? null);
    const page = rows.slice(0, limit);
    const next_cursor = rows.length > limit ? String(page.at(-1)?.id) : null;
    return { success: true, data: page.map(viewOf), next_cursor };
  }

  @Requires('editor')
  @Post()
  async create(@CurrentUser() user: SessionUser, @Body() body: CreateCampaignBody) {
    await this.requireFillable(user.tenantId, body.messaging_account_id, body.template);
    const campaign = await this.campaigns.create(user.tenantId, user.email, body);
    return this.done(user, 'campaign.created', campaign);
  }

  /** A campaign with its progress (a draft: with its warnings) and the present template. */
  @Live()
  @Get(':campaign_id')
  async find(@CurrentUser() { tenantId }: SessionUser, @Param('campaign_id') id: string) {
    const campaign = await this.campaigns.find(tenantId, idOf(id));
    const isDraft = campaign.status === 'draft';
    const [progress, warnings, content] = await Promise.all([
      isDraft ? null : this.progress.of(campaign),
      isDraft ? this.outlook.warningsOf(campaign) : [],
      this.templates.find(tenantId, campaign.messaging_account_id, {
        name: campaign.template_name,
        language: campaign.language,
      }),
    ]);
    const view = viewOf(campaign);
    const template = { ...view.template, ...content };
    return { success: true, data: { ...view, template, progress, warnings } };
  }

  /** What the remaining rows cost in the template's former and new category; null where it did not change. */
  @Get(':campaign_id/rest')
  async rest(@CurrentUser() { tenantId }: SessionUser, @Param('campaign_id') id: string) {
    const campaign = await this.campaigns.find(tenantId, idOf(id));
    return { success: true, data: await this.outlook.restOf(campaign) };
  }

  @Requires('editor')
  @Patch(':campaign_id')
  async edit(
    @CurrentUser() user: SessionUser,
    @Param('campaign_id') id: string,
    @Body() { revision, ...changes }: EditCampaignBody,
  ) {
    const { tenantId } = user;
    if (changes.template ?? changes.messaging_account_id) {
      const campaign = await this.campaigns.find(tenantId, idOf(id));
      const template = changes.template ?? { name: campaign.template_name, language: campaign.language };
      const account = changes.messaging_account_id ?? campaign.messaging_account_id;
      await this.requireFillable(tenantId, account, template);
    }
    // Not in the audit log: a draft is saved again and again, and nothing has happened yet.
    const campaign = await this.campaigns.edit(tenantId, idOf(id), revision, changes);
    return { success: true, data: viewOf(campaign) };
  }

  @Requires('editor')
  @Delete(':campaign_id')
  async delete(@CurrentUser() user: SessionUser, @Param('campaign_id') id: string) {
    const campaign = await this.campaigns.find(user.tenantId, idOf(id));
    await this.campaigns.delete(user.tenantId, campaign.id);
    await this.audit.record(user, 'campaign.deleted', { campaign_id: campaign.id, name: campaign.name });
    return { success: true, data: {} };
  }

  /** Rows of the file, with what has become of each. */
  @Get(':campaign_id/rows')
  async rows(
    @CurrentUser() { tenantId }: SessionUser,
    @Param('campaign_id') id: string,
    @Query() { limit, cursor, faulty, state }: RowsQuery,
  ) {
    const campaign = await this.campaigns.find(tenantId, idOf(id));
    const filter = { faulty: faulty === 'true', state };
    const rows = await this.recipients.page(
      campaign.id,
      limit + 1,
      cursor ?? 0,
      filter,
      this.reads.of(tenantId),
    );
    const page = rows.slice(0, limit);
    const next_cursor = rows.length > limit ? String(page.at(-1)?.row_number) : null;
    return { success: true, data: page, next_cursor };
  }

  /** The rows with faults as a file, to be corrected and uploaded. */
  @AtOnce('exports')
  @Get(':campaign_id/faults')
  async faults(
    @CurrentUser() { tenantId }: SessionUser,
    @Param('campaign_id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const campaign = await this.campaigns.find(tenantId, idOf(id));
    await this.csv.send(response, `campaign-${campaign.id}-faults.csv`, this.faultsFile.open(campaign));
  }

  /** Judges every row; nothing is sent. */
  @Requires('editor')
  @AtOnce('checks')
  @Post(':campaign_id/check')
  @HttpCode(200)
  async check(@CurrentUser() { tenantId }: SessionUser, @Param('campaign_id') id: string) {
    return { success: true, data: viewOf(await this.campaigns.check(tenantId, idOf(id))) };
  }

  @Requires('editor')
  @Post(':campaign_id/start')
  @HttpCode(200)
  async start(
    @CurrentUser() user: SessionUser,
    @Param('campaign_id') id: string,
    @Body() body: StartCampaignBody,
  ) {
    const before = await this.campaigns.find(user.tenantId, idOf(id));
    const campaign = await this.campaigns.start(user.tenantId, before.id, body);
    if (before.status !== 'draft') return { success: true, data: viewOf(campaign) };
    return this.done(user, 'campaign.started', campaign, {
      recipients: campaign.verdict?.good,
      left_out: campaign.verdict?.bad,
      costs: campaign.verdict?.costs,
      starts_at: campaign.starts_at,
    });
  }

  @Requires('editor')
  @Post(':campaign_id/pause')
  @HttpCode(200)
  async pause(@CurrentUser() user: SessionUser, @Param('campaign_id') id: string) {
    return this.done(user, 'campaign.paused', await this.campaigns.pause(user.tenantId, idOf(id)));
  }

  @Requires('editor')
  @Post(':campaign_id/resume')
  @HttpCode(200)
  async resume(@CurrentUser() user: SessionUser, @Param('campaign_id') id: string) {
    return this.done(user, 'campaign.resumed', await this.campaigns.resume(user.tenantId, idOf(id)));
  }

  @Requires('editor')
  @Post(':campaign_id/cancel')
  @HttpCode(200)
  async cancel(@CurrentUser() user: SessionUser, @Param('campaign_id') id: string) {
    return this.done(user, 'campaign.canceled', await this.campaigns.cancel(user.tenantId, idOf(id)));
  }

  private async done(user: SessionUser, action: string, campaign: CampaignRow, facts: object = {}) {
    await this.audit.record(user, action, { campaign_id: campaign.id, name: campaign.name, ...facts });
    return { success: true, data: viewOf(campaign) };
  }

  private async requireFillable(
    tenantId: string,
    account: string,
    template: { name: string; language: string },
  ): Promise<void> {
    const found = await this.templates.find(tenantId, account, template);
    if (!found)
      throw new ApiError('TEMPLATE_NOT_FOUND', 'This number has no such template.', [{ field: 'template' }]);
    const parts = unfillable(found.components);
    if (parts.length === 0) return;
    const message = `Campaigns cannot fill a template with ${parts.join(' and ').toLowerCase()}.`;
    throw new ApiError('VALIDATION_FAILED', message, [{ field: 'template', message }]);
  }
}

/** @throws ApiError NOT_FOUND when it is no number: no campaign has such an id */
export function idOf(id: string): number {
  return /^\d{1,9}$/.test(id) ? Number(id) : 0;
}
