import { Injectable } from '@nestjs/common';
import { AccountChangesService } from '../accounts/account-changes.service.js';
import { AlertsService } from '../alerts/alerts.service.js';
import type { AlertKind } from '../alerts/domain/alert-kind.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { readMessagingLimit } from '../numbers/domain/messaging-limit.js';
import { NumberFactsStore } from '../numbers/number-facts.store.js';
import { type AccountAlert, readAccountAlert, readSecurityEvent } from './domain/account-alert.js';
import { type AccountEvent, portfolioOf, readAccountEvent } from './domain/account-event.js';
import { readAuthInternational } from './domain/auth-international.js';
import type { FieldUpdate } from './domain/read-webhook.js';
import { phoneOf } from './domain/wire-values.js';
import { RecipientWishesService } from './recipient-wishes.service.js';

/** A business account that an update is about. */
export interface UpdatedAccount {
  id: string;
  tenantId: string;
}

/** An update with its account, its time, and the transaction that it is part of. */
interface Update {
  account: UpdatedAccount;
  value: Record<string, unknown>;
  occurredAt: Date;
  connection: Queryable;
}

/** Updates numbers and business accounts by the provider's webhooks. */
@Injectable()
export class AccountUpdatesService {
  /** By field. A function resolves to false when it does not know the update's event. */
  private readonly fields: Record<string, (update: Update) => Promise<boolean | void>> = {
    account_update: (update) => this.changeAccount(update),
    account_alerts: (update) => this.alert('account_alert', readAccountAlert(update.value), update),
    security: (update) => this.alert('security', readSecurityEvent(update.value), update),
    phone_number_quality_update: (update) => this.changeNumber(update),
    business_capability_update: (update) =>
      this.setLimit(update, ['max_daily_conversations_per_business', 'max_daily_conversation_per_phone']),
    user_preferences: ({ account, value, occurredAt, connection }) =>
      this.wishes.followPreferences(account.tenantId, value, occurredAt, connection),
  };

  constructor(
    private readonly changes: AccountChangesService,
    private readonly numbers: NumberFactsStore,
    private readonly holds: HoldsService,
    private readonly alerts: AlertsService,
    private readonly wishes: RecipientWishesService,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the update is about something else, or cannot be read */
  async apply(account: UpdatedAccount, update: FieldUpdate, connection: Queryable): Promise<boolean> {
    const { field, value, occurredAt } = update;
    const apply = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
    if (!apply) return false;
    const told = { account, value, occurredAt: occurredAt ?? this.clock.now(), connection };
    return (await apply(told)) !== false;
  }

  private async changeAccount(update: Update): Promise<boolean> {
    const { account, value, occurredAt, connection } = update;
    if (value['event'] === 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE') {
      const starts = readAuthInternational(value);
      if (!starts) return false;
      await this.changes.setAuthInternational(account.id, starts, occurredAt, connection);
    }
    const portfolioId = portfolioOf(value);
    if (portfolioId) await this.numbers.setPortfolio(account.id, portfolioId, connection);
    const event = readAccountEvent(value, this.clock.now());
    await this.changeState(event, update);
    if (event.alert) {
      const { subject, ...alert } = event.alert;
      await this.raise({ ...alert, subject: `${account.id}:${subject}` }, update);
    }
    return event.isKnown;
  }

  /** Holds the account, or ends its holds. An event older than the last such event is ignored. */
  private async changeState({ hold, lifts, ends }: AccountEvent, update: Update): Promise<void> {
    const { account, occurredAt, connection } = update;
    if (!hold && lifts.length === 0 && ends.length === 0) return;
    if (!(await this.changes.noteStateEvent(account.id, occurredAt, connection))) return;
    const target = { tenantId: account.tenantId, scope: 'business_account', targetId: account.id } as const;
    if (hold) await this.holds.placeOn(target, { ...hold, occurredAt }, connection);
    if (lifts.length > 0) await this.holds.liftCaused(target, lifts, 'webhook', connection);
    if (ends.length > 0) await this.alerts.end(ends, `${account.id}:`, 'webhook', connection);
  }

  private async alert(kind: AlertKind, alert: AccountAlert, update: Update): Promise<void> {
    const { severity, text, isOpen } = alert;
    const subject = `${update.account.id}:${alert.subject}`;
    if (isOpen) await this.raise({ kind, severity, text, subject, endsAt: null }, update);
    else await this.alerts.end([kind], subject, 'webhook', update.connection);
  }

  private async raise(
    alert: NonNullable<AccountEvent['alert']>,
    { account, value, occurredAt, connection }: Update,
  ): Promise<void> {
    const { id: businessAccountId, tenantId } = account;
    await this.alerts.raise(
      { ...alert, tenantId, businessAccountId, details: value, occurredAt },
      connection,
    );
  }

  /** An event does not tell the number's quality, so the number is read from the provider. */
  private async changeNumber(update: Update): Promise<void> {
    const { account, value, connection } = update;
    const isUpgrade = value['event'] === 'THROUGHPUT_UPGRADE';
    const phone = phoneOf(value['display_phone_number']);
    await this.numbers.noteEvent(account.id, phone, { isUpgrade, now: this.clock.now() }, connection);
    // With an upgrade, `current_limit` is the throughput, not the messaging limit.
    const older = isUpgrade ? [] : ['current_limit'];
    await this.setLimit(update, ['max_daily_conversations_per_business', ...older]);
  }

  /** @param fields where the limit may stand; the first one that has a limit counts */
  private async setLimit(
    { account, value, occurredAt, connection }: Update,
    fields: string[],
  ): Promise<void> {
    const limit = fields.map((field) => readMessagingLimit(value[field])).find((one) => one !== null);
    if (limit) await this.numbers.setLimit(account.id, limit, occurredAt, connection);
  }
}
