import type { EditRefusal } from '../../../../src/templates/domain/edit-rules';
import type { TemplateDraft } from '../../../../src/templates/domain/template-draft';

export type { TemplateDraft };

export interface BusinessAccountChoice {
  business_account_id: string;
  waba_id: string;
  /** The names of its numbers. */
  numbers: string[];
}

/** The saved content of a draft. */
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
  /** Parts that a draft cannot have. */
  unsupported: string[];
  /** What may be edited; null for a copy. */
  rules: Record<'content' | 'category' | 'name' | 'language', Permission> | null;
}

/** The answer of `GET template-drafts/start`. */
export interface EditorStart extends DraftContent {
  business_accounts: BusinessAccountChoice[];
  /** Null for a new draft. */
  key: string | null;
  saved: SavedDraft | null;
  template: EditedTemplate | null;
}

/** An item of `GET template-drafts`. */
export interface UnfinishedDraft {
  key: string;
  /** Null for a new template. */
  template_id: number | null;
  name: string;
  language: string;
  saved_at: string;
}

/** The answer of `POST templates` and `PATCH templates/:id`. */
export interface SubmittedTemplate {
  /** Null when the provider has accepted the template, but it could not be read back yet. */
  template_id: number | null;
  name: string;
}
