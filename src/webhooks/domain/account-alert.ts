import type { AlertSeverity } from '../../alerts/domain/alert-kind.js';
import { idText, isObject, phoneOf, text, textOf, word } from './wire-values.js';

/** One of the provider's own alerts, or a change of a security setting. */
export interface AccountAlert {
  severity: AlertSeverity;
  /** What sets it apart from others on the same account. */
  subject: string;
  text: string;
  /** False when the provider says that it is over. */
  isOpen: boolean;
}

const SEVERITIES = new Map<string, AlertSeverity>([
  ['CRITICAL', 'error'],
  ['WARNING', 'warning'],
  ['INFORMATIONAL', 'info'],
]);

/** Statuses of an open alert; one that only informs has NONE. */
const OPEN = new Set(['ACTIVE', 'NONE']);

/** Reads `account_alerts`. Its fields stand in `alert_info`; in older versions, next to the entity. */
export function readAccountAlert(value: Record<string, unknown>): AccountAlert {
  const info = isObject(value['alert_info']) ? value['alert_info'] : value;
  const type = word(info['alert_type']) ?? 'not named';
  const entity = [word(value['entity_type']), idText(value['entity_id'])].filter((part) => part !== null);
  return {
    severity: SEVERITIES.get(textOf(info['alert_severity'])) ?? 'warning',
    subject: [...entity, type].join(':'),
    text: `${type}: ${text(info['alert_description']) ?? 'the provider gives no description'}`,
    isOpen: OPEN.has(textOf(info['alert_status'] ?? 'ACTIVE')),
  };
}

const SECURITY_EVENTS = new Map([
  ['PIN_CHANGED', 'The PIN was set or changed'],
  ['PIN_RESET_REQUEST', 'Somebody has asked to turn two-step verification off'],
  ['PIN_RESET_SUCCESS', 'Two-step verification was turned off'],
]);

/** Reads `security`: a setting of a number was changed in the provider's manager. */
export function readSecurityEvent(value: Record<string, unknown>): AccountAlert {
  const event = word(value['event']) ?? 'not named';
  const phone = phoneOf(value['display_phone_number']);
  const requester = idText(value['requester']);
  const words = SECURITY_EVENTS.get(event) ?? event;
  return {
    severity: 'warning',
    subject: `${phone}:${event}`,
    text: `${words}${phone && `, on +${phone}`}${requester ? `, by user ${requester} of the provider's manager` : ''}.`,
    isOpen: true,
  };
}
