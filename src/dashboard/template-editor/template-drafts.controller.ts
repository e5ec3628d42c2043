import { Body, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { DraftKey, SaveDraftRequest, StartQuery } from './dto/requests.dto.js';
import { EditorStartService, viewOf } from './editor-start.service.js';
import { SavedDraftsService } from './saved-drafts.service.js';

/** Drafts of templates: each user sees only their own. */
@DashboardController('template-drafts')
@Requires('editor')
export class TemplateDraftsController {
  constructor(
    private readonly drafts: SavedDraftsService,
    private readonly starts: EditorStartService,
  ) {}

  /** The unfinished ones, latest first. */
  @Get()
  async list(@CurrentUser() user: SessionUser) {
    const drafts = await this.drafts.list(user);
    const data = drafts.map(({ key, draft: { name, language, category }, updatedAt }) => ({
      key,
      template_id: Number(/^template-(\d+)$/.exec(key)?.[1]) || null,
      name,
      language,
      category,
      saved_at: updatedAt,
    }));
    return { success: true, data };
  }

  /** Everything that the editor needs to open. */
  @Get('start')
  async start(@CurrentUser() user: SessionUser, @Query() query: StartQuery) {
    return { success: true, data: await this.startOf(user, query) };
  }

  @Get(':key')
  async find(@CurrentUser() user: SessionUser, @Param() { key }: DraftKey) {
    const draft = await this.drafts.find(user, key);
    if (!draft) throw new ApiError('NOT_FOUND', 'There is no such draft: it was submitted or discarded.');
    return { success: true, data: viewOf(draft) };
  }

  @Put(':key')
  async save(
    @CurrentUser() user: SessionUser,
    @Param() { key }: DraftKey,
    @Body() { revision, business_account_id: businessAccountId, draft }: SaveDraftRequest,
  ) {
    const saved = await this.drafts.save(user, key, { revision, businessAccountId, draft });
    return { success: true, data: { key, revision: saved.revision, saved_at: saved.updatedAt } };
  }

  @Delete(':key')
  async discard(@CurrentUser() user: SessionUser, @Param() { key }: DraftKey) {
    await this.drafts.discard(user, key);
    return { success: true, data: {} };
  }

  private startOf(user: SessionUser, { key, template_id, copy, language }: StartQuery) {
    if (template_id !== undefined) return this.starts.ofEdit(user, template_id);
    if (copy !== undefined) return this.starts.ofCopy(user, copy, language);
    return this.starts.ofKey(user, key ?? null);
  }
}
