import type { EditRefusal } from '../../../../src/templates/domain/edit-rules';
import type { TemplateDraft } from '../../../../src/templates/domain/template-draft';

export type { TemplateDraft };

export interface BusinessAccountChoice {
  business_account_id: string;
  waba_id: string;
  /** The names of its numbers. */
  numbers: string[];
}

/** What is saved of a draft. */
export interface DraftContent {
  business_account_id: string | null;
  draft: TemplateDraft;
}

export interface SavedDraft extends DraftContent {
  key: string;
  revision: number;
  saved_at: string;
}

export type Permission = { allowed: true } | { allowed: false; reason: EditRefusal; until: string | null };

export interface EditedTemplate {
  template_id: number;
  name: string;
  language: string;
  status: string;
  category: string;
  /** All languages of its name. */
  languages: string[];
  /** Parts that a draft cannot hold. */
  unsupported: string[];
  /** Null where it is copied. */
  rules: Record<'content' | 'category' | 'name' | 'language', Permission> | null;
}

/** `GET template-drafts/start` */
export interface EditorStart extends DraftContent {
  business_accounts: BusinessAccountChoice[];
  /** Null for a draft that is new. */
  key: string | null;
  saved: SavedDraft | null;
  template: EditedTemplate | null;
}

/** `GET template-drafts` */
export interface UnfinishedDraft {
  key: string;
  /** Null for a new template. */
  template_id: number | null;
  name: string;
  language: string;
  saved_at: string;
}

/** `POST templates`, `PATCH templates/:id` */
export interface SubmittedTemplate {
  /** Null when the provider has taken it but was not read back yet. */
  template_id: number | null;
  name: string;
}
