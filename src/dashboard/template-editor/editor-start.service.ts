import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import { fromTemplate } from '../../templates/domain/draft-from-template.js';
import type { EditRules } from '../../templates/domain/edit-rules.js';
import { emptyDraft, type TemplateDraft } from '../../templates/domain/template-draft.js';
import { providerForm } from '../../templates/provider-form.js';
import { TemplateAuthorService } from '../../templates/template-author.service.js';
import { TemplateEditsService } from '../../templates/template-edits.service.js';
import type { Template } from '../../templates/template.entity.js';
import type { SessionUser } from '../sessions/session-user.js';
import type { SavedDraft } from './saved-draft.entity.js';
import { SavedDraftsService } from './saved-drafts.service.js';

interface BusinessAccountChoice {
  business_account_id: string;
  waba_id: string;
  /** The names of its numbers. */
  numbers: string[];
}

/** What the editor shows when it is opened. */
export interface EditorStart {
  business_accounts: BusinessAccountChoice[];
  /** Where a draft starts that has not been saved yet. */
  draft: TemplateDraft;
  business_account_id: string | null;
  /** The key under which the draft is saved; null for a new one. */
  key: string | null;
  saved: SavedDraftView | null;
  /** The template that is edited or copied. */
  template: TemplateView | null;
}

export interface SavedDraftView {
  key: string;
  revision: number;
  business_account_id: string | null;
  draft: TemplateDraft;
  saved_at: Date;
}

interface TemplateView {
  template_id: number;
  name: string;
  language: string;
  status: string;
  category: string;
  /** Other languages of the same name. */
  languages: string[];
  /** Parts that a draft cannot hold. */
  unsupported: string[];
  /** Null for a copy. */
  rules: EditRules | null;
}

/** Brings together what the editor needs to begin. */
@Injectable()
export class EditorStartService {
  constructor(
    private readonly database: Database,
    private readonly drafts: SavedDraftsService,
    private readonly author: TemplateAuthorService,
    private readonly edits: TemplateEditsService,
  ) {}

  /** A new template, or the draft under that key. */
  async ofKey(user: SessionUser, key: string | null): Promise<EditorStart> {
    const accounts = await this.accounts(user);
    const saved = key === null ? null : await this.drafts.find(user, key);
    return {
      business_accounts: accounts,
      draft: emptyDraft(),
      business_account_id: accounts.length === 1 ? accounts[0]!.business_account_id : null,
      key,
      saved: saved && viewOf(saved),
      template: null,
    };
  }

  /** The edit of a template. @throws ApiError TEMPLATE_NOT_FOUND */
  async ofEdit(user: SessionUser, templateId: number): Promise<EditorStart> {
    const template = await this.author.find(user.tenantId, templateId);
    const key = `template-${templateId}`;
    return {
      ...(await this.ofKey(user, key)),
      draft: draftOf(template).draft,
      business_account_id: template.businessAccountId,
      template: await this.describe(template, await this.edits.rulesOf(template)),
    };
  }

  /** A copy of a template, in another language when one is named. @throws ApiError TEMPLATE_NOT_FOUND */
  async ofCopy(user: SessionUser, templateId: number, language?: string): Promise<EditorStart> {
    const template = await this.author.find(user.tenantId, templateId);
    const { draft } = draftOf(template);
    return {
      ...(await this.ofKey(user, null)),
      draft: { ...draft, language: language ?? '' },
      business_account_id: template.businessAccountId,
      template: await this.describe(template, null),
    };
  }

  private async describe(template: Template, rules: EditRules | null): Promise<TemplateView> {
    const { id, name, language, status, category, businessAccountId } = template;
    const rows = await this.database.run<{ language: string }>(LANGUAGES, [businessAccountId, name]);
    return {
      template_id: id,
      name,
      language,
      status,
      category,
      languages: rows.map((row) => row.language),
      unsupported: draftOf(template).unsupported,
      rules,
    };
  }

  private async accounts({ tenantId }: SessionUser): Promise<BusinessAccountChoice[]> {
    return this.database.run<BusinessAccountChoice>(BUSINESS_ACCOUNTS, [tenantId]);
  }
}

export function viewOf({ key, revision, businessAccountId, draft, updatedAt }: SavedDraft): SavedDraftView {
  return { key, revision, business_account_id: businessAccountId, draft, saved_at: updatedAt };
}

const draftOf = (template: Template) => fromTemplate(providerForm(template));

const LANGUAGES: Statement = {
  name: 'template_languages',
  text: `
    SELECT language FROM templates
    WHERE business_account_id = $1 AND name = $2 AND removed_at IS NULL ORDER BY language`,
};

const BUSINESS_ACCOUNTS: Statement = {
  name: 'editor_business_accounts',
  text: `
    SELECT b.id AS business_account_id, b.waba_id,
      coalesce(array_agg(n.name ORDER BY n.id) FILTER (WHERE n.id IS NOT NULL), '{}') AS numbers
    FROM business_accounts b LEFT JOIN messaging_accounts n ON n.business_account_id = b.id
    WHERE b.tenant_id = $1 GROUP BY b.id ORDER BY b.created_at, b.id`,
};
