import type { AlertKind, AlertSeverity } from '../../alerts/domain/alert-kind.js';
import type { ChangedTemplate } from './template-changes.js';

/** Statuses of which people have to know, with what they are told. */
const STATUSES = {
  PAUSED: { kind: 'template_paused', severity: 'error', words: 'is paused' },
  DISABLED: { kind: 'template_disabled', severity: 'error', words: 'is disabled' },
  REJECTED: { kind: 'template_rejected', severity: 'warning', words: 'was rejected' },
} as const;

/** Kinds of alerts that end when the template's status is another. */
export const STATUS_KINDS: readonly AlertKind[] = Object.values(STATUSES).map(({ kind }) => kind);

/** Characters of the provider's reason. */
const LONGEST_REASON = 300;

/** Days for which a change of category is shown. */
const CATEGORY_DAYS = 30;

/** An alert of a template. */
export interface TemplateAlert {
  kind: AlertKind;
  severity: AlertSeverity;
  subject: string;
  text: string;
  /** Days after which it ends by itself; null: it ends with its cause. */
  days: number | null;
}

/** What people have to know of a change, and which kinds of alerts it ends. */
export function alertsOf(change: ChangedTemplate): { raise: TemplateAlert[]; end: AlertKind[] } {
  const { id, name, language, was, is, reason } = change;
  const which = `The template ${name} (${language})`;
  const because = reason === null ? '' : `: ${reason.slice(0, LONGEST_REASON)}`;
  const raise: TemplateAlert[] = [];
  const hasChanged = is.status !== was?.status;
  const told = is.status in STATUSES ? STATUSES[is.status as keyof typeof STATUSES] : null;
  if (told && hasChanged) {
    const { kind, severity, words } = told;
    raise.push({ kind, severity, subject: String(id), text: `${which} ${words}${because}.`, days: null });
  }
  if (was && is.category !== was.category)
    raise.push({
      kind: 'template_recategorised',
      severity: 'warning',
      subject: `${id}:${is.category}`,
      text: `${which} was ${was.category} and is ${is.category} now, with the price of that.`,
      days: CATEGORY_DAYS,
    });
  return { raise, end: was && hasChanged ? STATUS_KINDS.filter((kind) => kind !== told?.kind) : [] };
}
