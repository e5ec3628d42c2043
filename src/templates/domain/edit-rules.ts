import type { TemplateCategory } from './template-draft.js';
import type { TemplateStatus } from './template-status.js';

/** Why a part of a template cannot be edited, in words. */
export const EDIT_REFUSAL_TEXTS = {
  status: 'Only approved, rejected and paused templates can be edited.',
  edited_in_last_day: 'An approved template can be edited once in 24 hours.',
  edited_too_often: 'An approved template can be edited 10 times in 30 days.',
  approved_category:
    'The category of an approved template cannot change: duplicate it under another name instead.',
  identity: 'Name and language cannot change: duplicate the template instead.',
} as const;

export type EditRefusal = keyof typeof EDIT_REFUSAL_TEXTS;

/** `until` says when the refusal ends by itself, where that is known. */
export type Permission = { allowed: true } | { allowed: false; reason: EditRefusal; until: Date | null };

export interface EditRules {
  /** Header, body, footer and buttons. */
  content: Permission;
  category: Permission;
  name: Permission;
  language: Permission;
}

/** What of a template its edit rules depend on. */
export interface EditedTemplate {
  status: TemplateStatus;
  /** As the provider calls it: it knows more than ours. */
  providerStatus: string;
  category: TemplateCategory;
  /** Null or left out: no edit is known here. The provider decides in the end. */
  lastEditedAt?: Date | null;
  editsIn30Days?: number;
}

const EDITABLE = new Set<TemplateStatus>(['APPROVED', 'REJECTED', 'PAUSED']);

/** The provider's words for what changes no status of ours, but forbids edits. */
const LOCKED = new Set(['LOCKED', 'ARCHIVED', 'IN_APPEAL', 'PENDING_DELETION', 'LIMIT_EXCEEDED']);
const DAY = 24 * 60 * 60 * 1000;
const MOST_EDITS_IN_30_DAYS = 10;

const allowed: Permission = { allowed: true };
const refused = (reason: EditRefusal, until: Date | null = null): Permission => ({
  allowed: false,
  reason,
  until,
});

/** What the provider lets an editor change in a template, and why not the rest. */
export function editRules(template: EditedTemplate, now: Date): EditRules {
  const content = contentPermission(template, now);
  const isFixed = content.allowed && template.status === 'APPROVED';
  return {
    content,
    category: isFixed ? refused('approved_category') : content,
    name: refused('identity'),
    language: refused('identity'),
  };
}

function contentPermission(template: EditedTemplate, now: Date): Permission {
  const { status, providerStatus, lastEditedAt = null, editsIn30Days = 0 } = template;
  if (!EDITABLE.has(status) || LOCKED.has(providerStatus)) return refused('status');
  if (status !== 'APPROVED') return allowed;
  if (editsIn30Days >= MOST_EDITS_IN_30_DAYS) return refused('edited_too_often');
  const next = lastEditedAt && new Date(lastEditedAt.getTime() + DAY);
  return next && next > now ? refused('edited_in_last_day', next) : allowed;
}
