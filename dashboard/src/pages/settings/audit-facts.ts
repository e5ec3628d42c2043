import { formatDateTime, formatMoney } from '../../format';
import { strings } from '../../strings';

const texts = strings.settings.audit;
const roles: Record<string, string> = strings.settings.users.roles;
const scopes: Record<string, string> = strings.settings.apiKeys.scopeTexts;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Ids that nobody can look up; they are left out, as the entry has a name. */
const UNTOLD = new Set([
  'user_id',
  'api_key_id',
  'business_account_id',
  'hold_id',
  'webhook_endpoint_id',
  'spend_limit_id',
]);

/** The details of an entry as names and values to read; unknown ones are shown as they are. */
export function factsOf(details: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(details)
    .filter(([name, value]) => value !== null && !UNTOLD.has(name))
    .map(([name, value]) => [texts.facts[name] ?? name.replaceAll('_', ' '), valueOf(name, value)]);
}

function valueOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => valueOf(name, one)).join(', ') || strings.common.none;
  if (isMoney(value)) return formatMoney(value.amount, value.currency);
  if (typeof value === 'string') {
    if (TIME.test(value)) return formatDateTime(value);
    if (name === 'scopes') return scopes[value] ?? value;
    return name === 'role' || name === 'before' ? (roles[value] ?? value) : value;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

function isMoney(value: unknown): value is { amount: string; currency: string } {
  const { amount, currency } = (value ?? {}) as Record<string, unknown>;
  return typeof amount === 'string' && typeof currency === 'string';
}
