import type { AlertKind, AlertSeverity } from '../../alerts/domain/alert-kind.js';
import type { AccountHoldCause } from '../../outbox/holds/account-hold.js';
import { idText, isObject, list, text, timeOf, word } from './wire-values.js';

/** What an `account_update` means for the business account. */
export interface AccountEvent {
  /** What people are told. */
  alert: {
    kind: AlertKind;
    severity: AlertSeverity;
    /** What sets it apart from others of its kind on the same account. */
    subject: string;
    text: string;
    endsAt: Date | null;
  } | null;
  /** Holds the account. `until` is when a probe may try whether the cause is gone; null: there is no probe. */
  hold: { cause: AccountHoldCause; title: string; details: string | null; until: Date | null } | null;
  /** Ends the holds of these causes, and the alerts of these kinds. */
  lifts: AccountHoldCause[];
  ends: AlertKind[];
  /** Whether the service knows the event; people are only told of unknown ones. */
  isKnown: boolean;
}

/**
 * Restrictions under which templates can still be sent. Source: the provider's reference of `account_update` in autumn
 * 2026. Any other restriction holds the account, as does one without a name.
 */
const HARMLESS_RESTRICTIONS = new Set([
  'RESTRICTED_ADD_PHONE_NUMBER_ACTION',
  'RESTRICTION_ON_ADD_PHONE_NUMBER_ACTION',
  'RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING',
  'RESTRICTED_BUSINESS_INITIATED_CALLING',
  'RESTRICTED_USER_INITIATED_CALLING',
  'RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN',
  'RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES',
  'RESTRICTED_UTILITY_TEMPLATES', // they cannot be created
]);

const NOTHING: Omit<AccountEvent, 'alert'> = { hold: null, lifts: [], ends: [], isKnown: true };

type Value = Record<string, unknown>;

/** @param now a restriction that has ended by then holds nothing */
export function readAccountEvent(value: Value, now: Date): AccountEvent {
  const event = word(value['event']) ?? 'no event';
  if (event === 'DISABLED_UPDATE' || isObject(value['ban_info'])) return readBan(value);
  const restrictions = restrictionsOf(value);
  if (event === 'ACCOUNT_RESTRICTION' || restrictions.length > 0) return readRestriction(restrictions, now);
  const read = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  return read ? read(value) : { ...news(event, `The provider tells: ${event}.`), isKnown: false };
}

const EVENTS: Record<string, (value: Value) => AccountEvent> = {
  ACCOUNT_VIOLATION: readViolation,
  ACCOUNT_DELETED: () =>
    readEnd('account_deleted', 'deleted', 'The business account was deleted at the provider'),
  ACCOUNT_OFFBOARDED: readRemoval,
  PARTNER_REMOVED: readRemoval,
  ACCOUNT_RECONNECTED: () => readReturn('The business account was connected again.'),
  PARTNER_ADDED: () => readReturn('The provider gives this service access to the business account.'),
  VERIFIED_ACCOUNT: () => news('VERIFIED_ACCOUNT', 'The provider has verified the business account.'),
  VOLUME_BASED_PRICING_TIER_UPDATE: readPricingTier,
  AUTH_INTL_PRICE_ELIGIBILITY_UPDATE: () =>
    news(
      'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      'The provider has declared what codes to other countries cost.',
    ),
  BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE: ({ country }) =>
    news(
      'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
      `The provider takes the business to be in ${word(country) ?? 'an unknown country'}.`,
    ),
  ...Object.fromEntries(
    [
      'AD_ACCOUNT_LINKED',
      'MM_LITE_TERMS_SIGNED',
      'PARTNER_APP_INSTALLED',
      'PARTNER_APP_UNINSTALLED',
      'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
    ].map((event) => [event, () => news(event, `The provider tells: ${event}.`)]),
  ),
};

function readBan({ ban_info }: Value): AccountEvent {
  const info = isObject(ban_info) ? ban_info : {};
  const date = text(info['waba_ban_date']);
  const on = date ? ` on ${date}` : '';
  switch (info['waba_ban_state']) {
    case 'REINSTATE':
      return {
        ...NOTHING,
        alert: null,
        lifts: ['banned'],
        ends: ['account_banned', 'account_ban_scheduled'],
      };
    case 'SCHEDULE_FOR_DISABLE':
      return {
        ...NOTHING,
        alert: {
          kind: 'account_ban_scheduled',
          severity: 'error',
          subject: '',
          text: `The provider will disable the business account${on}. See its business support page.`,
          endsAt: null,
        },
      };
    default: {
      const title = `The provider has disabled the business account${on}`;
      return { ...readEnd('account_banned', 'banned', title), ends: ['account_ban_scheduled'] };
    }
  }
}

function readRestriction(restrictions: Value[], now: Date): AccountEvent {
  const named = restrictions.map((restriction) => ({
    type: word(restriction['restriction_type']) ?? 'unknown',
    end: timeOf(restriction['expiration']),
    remediation: text(restriction['remediation']),
  }));
  const stopping = named.filter(({ type }) => !HARMLESS_RESTRICTIONS.has(type));
  const holds = named.length === 0 || stopping.length > 0;
  const endsAt = latest(named);
  const until = latest(stopping);
  const types = named.map(({ type }) => type).join(', ') || 'a restriction that it does not name';
  const remediation = named.flatMap(({ remediation: steps }) => steps ?? [])[0] ?? null;
  const isOver = endsAt !== null && endsAt <= now;
  return {
    ...NOTHING,
    alert: {
      kind: 'account_restricted',
      severity: holds ? 'error' : 'warning',
      subject: '',
      text: [`The provider has restricted the business account: ${types}.`, remediation]
        .filter(Boolean)
        .join(' '),
      endsAt,
    },
    hold:
      holds && !isOver
        ? {
            cause: 'restricted',
            title: 'The provider has restricted the business account',
            details: types,
            until,
          }
        : null,
  };
}

function readViolation({ violation_info: info }: Value): AccountEvent {
  const type = word(isObject(info) ? info['violation_type'] : null) ?? 'not named';
  return {
    ...NOTHING,
    alert: {
      kind: 'account_violation',
      severity: 'warning',
      subject: type,
      text: `The provider says that its policy is violated: ${type}. If it goes on, the account is restricted.`,
      endsAt: null,
    },
  };
}

function readRemoval({ disconnection_info: info }: Value): AccountEvent {
  const reason = word(isObject(info) ? info['reason'] : null);
  const why = reason ? ` (${reason})` : '';
  return readEnd(
    'account_removed',
    'removed',
    `The provider has taken the business account from this service${why}`,
  );
}

/** The account cannot send until the provider or a person says that it can: a probe would be lost. */
function readEnd(kind: AlertKind, cause: AccountHoldCause, title: string): AccountEvent {
  return {
    ...NOTHING,
    alert: { kind, severity: 'error', subject: '', text: `${title}. Its messages wait.`, endsAt: null },
    hold: { cause, title, details: null, until: null },
  };
}

function readReturn(words: string): AccountEvent {
  return { ...news('return', words), lifts: ['removed'], ends: ['account_removed'] };
}

function readPricingTier({ volume_tier_info }: Value): AccountEvent {
  const info = isObject(volume_tier_info) ? volume_tier_info : {};
  const [category, region] = [
    word(info['pricing_category']) ?? 'messages',
    text(info['region'])?.slice(0, 80) ?? 'all regions',
  ];
  const words = `Volume tier of ${category} in ${region}: ${text(info['tier']) ?? 'not named'} messages`;
  const month = text(info['effective_month']);
  return news(
    `VOLUME_BASED_PRICING_TIER_UPDATE:${category}:${region}`,
    `${words}${month ? `, for ${month}` : ''}.`,
  );
}

function news(subject: string, words: string): AccountEvent {
  return {
    ...NOTHING,
    alert: { kind: 'account_news', severity: 'info', subject, text: words, endsAt: null },
  };
}

/** Reads `restriction_info`, or its former name `restrictions`: a list, or a single object. */
function restrictionsOf(value: Value): Value[] {
  const given = value['restriction_info'] ?? value['restrictions'];
  return isObject(given) ? [given] : list(given);
}

/** The latest end; null when one of them has no readable end. */
function latest(restrictions: { end: Date | null }[]): Date | null {
  const ends = restrictions.map(({ end }) => end?.getTime() ?? Infinity);
  const last = Math.max(...ends);
  return Number.isFinite(last) ? new Date(last) : null;
}

/** The id of the business that owns the account, where an event names it. */
export function portfolioOf({ waba_info: info }: Value): string | null {
  return isObject(info) ? idText(info['owner_business_id']) : null;
}
