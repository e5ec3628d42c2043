import type { AlertKind, AlertSeverity } from './alert-kind.js';
import { ALERT_WORDS } from './alert-words.js';

/** An alert of which the operator is told by mail or by a webhook. */
export interface NoticedAlert {
  alert_id: number;
  kind: AlertKind;
  severity: AlertSeverity;
  text: string;
  /** The tenant's name; null for an alert of the whole service. */
  tenant: string | null;
  waba_id: string | null;
  raised_at: Date;
  ended_at: Date | null;
}

/** Characters of a name in a subject. */
const LONGEST_NAME = 60;

/** One line that says what it is about. @param more alerts that wait beside these */
export function subjectOf(alerts: readonly NoticedAlert[], more: number): string {
  const [first] = alerts;
  const count = alerts.length + more;
  const gravest = alerts.some(({ severity }) => severity === 'error') ? 'error' : (first?.severity ?? 'info');
  if (!first || count > 1) return `[${gravest}] ${count} alerts`;
  const whose = first.tenant === null ? '' : ` (${first.tenant.slice(0, LONGEST_NAME)})`;
  return `[${gravest}] ${titleOf(first)}${whose}`;
}

/** All that is told, as plain text. */
export function textOf(alerts: readonly NoticedAlert[], more: number): string {
  const rest = more === 0 ? [] : [`${more} more will follow.`];
  return [...alerts.map(blockOf), ...rest].join('\n\n');
}

function blockOf(alert: NoticedAlert): string {
  const { kind, severity, text, tenant, waba_id, raised_at, ended_at } = alert;
  const place = [
    tenant !== null && `Tenant: ${tenant}`,
    waba_id !== null && `Business account: ${waba_id}`,
    `Since: ${raised_at.toISOString()}`,
    ended_at !== null && `Ended meanwhile: ${ended_at.toISOString()}`,
  ].filter((line) => line !== false);
  const advice = (ALERT_WORDS as Partial<typeof ALERT_WORDS>)[kind]?.advice;
  return [
    `[${severity}] ${titleOf(alert)}`,
    text,
    ...(advice === undefined ? [] : [`What to do: ${advice}`]),
    ...place,
  ].join('\n');
}

/** A former version's worker may meet a kind that it does not know. */
function titleOf({ kind }: NoticedAlert): string {
  return (ALERT_WORDS as Partial<typeof ALERT_WORDS>)[kind]?.title ?? kind;
}
