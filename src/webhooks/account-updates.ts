import { Injectable } from '@nestjs/common';
import { AccountChangesService } from '../accounts/account-changes.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { readMessagingLimit } from '../numbers/domain/messaging-limit.js';
import { NumberFactsStore } from '../numbers/number-facts.store.js';
import { readAuthInternational } from './domain/auth-international.js';
import type { FieldUpdate } from './domain/read-webhook.js';

/** Keeps what is known of numbers and business accounts as the provider's webhooks describe them. */
@Injectable()
export class AccountUpdates {
  constructor(
    private readonly changes: AccountChangesService,
    private readonly numbers: NumberFactsStore,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the update is about something else, or cannot be read */
  async apply(account: { id: string }, update: FieldUpdate, connection: Queryable): Promise<boolean> {
    const { field, value } = update;
    if (field === 'account_update' && value['event'] === 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE')
      return this.setAuthInternational(account.id, update, connection);
    if (field === 'account_update') return true; // kept in the inbox; nothing else of it is acted upon yet
    if (field === 'phone_number_quality_update') await this.changeNumber(account.id, update, connection);
    else if (field === 'business_capability_update') {
      const { max_daily_conversations_per_business: limit, max_daily_conversation_per_phone: older } = value;
      await this.setLimit(account.id, [limit, older], update, connection);
    } else return false;
    return true;
  }

  /** An event is no quality: the number is read from the provider. */
  private async changeNumber(id: string, update: FieldUpdate, connection: Queryable): Promise<void> {
    const { event, display_phone_number: phone, current_limit: older } = update.value;
    const isUpgrade = event === 'THROUGHPUT_UPGRADE';
    const digits = String(phone ?? '').replaceAll(/\D/g, '');
    await this.numbers.noteEvent(id, digits, { isUpgrade, now: this.clock.now() }, connection);
    // Of an upgrade, `current_limit` is the throughput.
    const limits = [update.value['max_daily_conversations_per_business'], isUpgrade ? null : older];
    await this.setLimit(id, limits, update, connection);
  }

  /** @param said where the limit may stand; the first that says one counts */
  private async setLimit(
    id: string,
    said: unknown[],
    { occurredAt }: FieldUpdate,
    connection: Queryable,
  ): Promise<void> {
    const limit = said.map(readMessagingLimit).find((one) => one !== null);
    if (limit) await this.numbers.setLimit(id, limit, occurredAt ?? this.clock.now(), connection);
  }

  private async setAuthInternational(
    id: string,
    { value, occurredAt }: FieldUpdate,
    connection: Queryable,
  ): Promise<boolean> {
    const starts = readAuthInternational(value);
    if (!starts) return false;
    await this.changes.setAuthInternational(id, starts, occurredAt ?? this.clock.now(), connection);
    return true;
  }
}
