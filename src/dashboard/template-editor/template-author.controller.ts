import { Body, Delete, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { type Submitted, TemplateAuthorService } from '../../templates/template-author.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import {
  CreateTemplateRequest,
  DeleteTemplateQuery,
  EditTemplateRequest,
  TemplateId,
} from './dto/requests.dto.js';
import { SavedDraftsService } from './saved-drafts.service.js';

/** Submitting, editing and deleting templates. */
@DashboardController('templates')
@Requires('editor')
export class TemplateAuthorController {
  constructor(
    private readonly author: TemplateAuthorService,
    private readonly drafts: SavedDraftsService,
    private readonly audit: AuditLogService,
  ) {}

  @Post()
  @HttpCode(201)
  async create(
    @CurrentUser() user: SessionUser,
    @Body() { business_account_id, draft_key, draft }: CreateTemplateRequest,
  ) {
    const submitted = await this.author.create(user.tenantId, business_account_id, draft);
    return this.answer(user, 'template.submitted', submitted, { draft, draft_key });
  }

  @Patch(':id')
  async edit(
    @CurrentUser() user: SessionUser,
    @Param() { id }: TemplateId,
    @Body() { draft_key, draft }: EditTemplateRequest,
  ) {
    const submitted = await this.author.edit(user.tenantId, id, draft);
    return this.answer(user, 'template.edited', submitted, { draft, draft_key });
  }

  @Delete(':id')
  async remove(
    @CurrentUser() user: SessionUser,
    @Param() { id }: TemplateId,
    @Query() { all_languages: allLanguages = false }: DeleteTemplateQuery,
  ) {
    const deleted = await this.author.remove(user.tenantId, id, { allLanguages });
    for (const { id: template_id, name, language } of deleted) {
      await this.audit.record(user, 'template.deleted', { template_id, name, language });
    }
    return { success: true, data: { deleted: deleted.length } };
  }

  private async answer(
    user: SessionUser,
    action: string,
    { template, isRepeat }: Submitted,
    { draft, draft_key }: EditTemplateRequest,
  ) {
    const { name, language } = draft;
    const template_id = template?.id ?? null;
    await this.audit.record(user, action, {
      template_id,
      name,
      language,
      ...(isRepeat && { repeated: true }),
    });
    if (draft_key !== undefined) await this.drafts.discard(user, draft_key);
    return { success: true, data: { template_id, name, language, status: template?.status ?? 'PENDING' } };
  }
}
