import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { Database, type Statement } from '../../database/database.js';
import type { TemplateDraft } from '../../templates/domain/template-draft.js';
import { accountOf } from '../../templates/template-account.js';
import type { SessionUser } from '../sessions/session-user.js';
import { SavedDraft } from './saved-draft.entity.js';

/** A draft as the page saves it. */
export interface DraftToSave {
  /** The revision that the change was made to; 0 for a new draft. */
  revision: number;
  businessAccountId: string | null;
  draft: TemplateDraft;
}

/** Unfinished templates, each user's own. */
@Injectable()
export class SavedDraftsService {
  constructor(
    @InjectRepository(SavedDraft) private readonly drafts: Repository<SavedDraft>,
    private readonly accounts: AccountsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Latest first. */
  async list({ userId, tenantId }: SessionUser): Promise<SavedDraft[]> {
    return this.drafts.find({ where: { userId, tenantId }, order: { updatedAt: 'DESC' }, take: 100 });
  }

  async find({ userId, tenantId }: SessionUser, key: string): Promise<SavedDraft | null> {
    return this.drafts.findOneBy({ userId, tenantId, key });
  }

  /**
   * Saves a draft unless another tab has saved since. Repeating a save that was answered too late is harmless.
   * @throws ApiError VALIDATION_FAILED at `revision`, with the present one as `expected`
   */
  async save(
    user: SessionUser,
    key: string,
    change: DraftToSave,
  ): Promise<{ revision: number; updatedAt: Date }> {
    const { revision, businessAccountId, draft } = change;
    const { userId, tenantId } = user;
    if (businessAccountId !== null) await accountOf(this.accounts, tenantId, businessAccountId);
    const [saved] = await this.database.run<{ revision: number; updated_at: Date }>(SAVE, [
      userId,
      key,
      tenantId,
      businessAccountId,
      JSON.stringify(draft),
      revision,
      this.clock.now(),
    ]);
    if (saved) return { revision: saved.revision, updatedAt: saved.updated_at };
    const current = await this.find(user, key);
    const message = 'The draft was changed in another tab or window meanwhile.';
    throw new ApiError('VALIDATION_FAILED', message, [
      {
        field: 'revision',
        message,
        expected: current?.revision,
        actual: revision,
        saved_at: current?.updatedAt,
      },
    ]);
  }

  async discard({ userId, tenantId }: SessionUser, key: string): Promise<void> {
    await this.drafts.delete({ userId, tenantId, key });
  }
}

/** Returns nothing when another save came in between. */
const SAVE: Statement = {
  name: 'template_drafts_save',
  text: `
    INSERT INTO template_drafts AS d (user_id, key, tenant_id, business_account_id, draft, revision, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6::integer + 1, $7)
    ON CONFLICT (user_id, key) DO UPDATE SET business_account_id = excluded.business_account_id,
      draft = excluded.draft, revision = d.revision + 1, updated_at = excluded.updated_at
    WHERE d.revision = $6
      OR (d.draft, d.business_account_id) IS NOT DISTINCT FROM (excluded.draft, excluded.business_account_id)
    RETURNING revision, updated_at`,
};
