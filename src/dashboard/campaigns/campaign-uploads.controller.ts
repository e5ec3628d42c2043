import { Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { withRawBody } from '../../http/raw-body.js';
import { viewOf } from './campaign-view.js';
import { idOf } from './campaigns.controller.js';
import { UploadQuery } from './campaigns.dto.js';

/** Takes a campaign's file of recipients as a raw body, and stores it as it arrives. */
@DashboardController('uploads/campaigns')
@Requires('editor')
export class CampaignUploadsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly audit: AuditLogService,
  ) {}

  @Post(':campaign_id')
  async upload(
    @CurrentUser() user: SessionUser,
    @Param('campaign_id') id: string,
    @Query() { file_name: name }: UploadQuery,
    @Req() request: Request,
  ) {
    const campaign = await withRawBody(request, ({ stream }) =>
      this.campaigns.upload(user.tenantId, idOf(id), { name, chunks: stream }),
    );
    const { id: campaign_id, row_count: rows } = campaign;
    await this.audit.record(user, 'campaign.uploaded', { campaign_id, file_name: name, rows });
    return { success: true, data: viewOf(campaign) };
  }
}
