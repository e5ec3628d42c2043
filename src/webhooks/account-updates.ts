import { Injectable } from '@nestjs/common';
import { AccountChangesService } from '../accounts/account-changes.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable, Statement } from '../database/database.js';
import { readAuthInternational } from './domain/auth-international.js';
import type { FieldUpdate } from './domain/read-webhook.js';

/** Keeps what is known of numbers and business accounts as the provider's webhooks describe them. */
@Injectable()
export class AccountUpdates {
  constructor(
    private readonly changes: AccountChangesService,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the update is about something else, or cannot be read */
  async apply(account: { id: string }, update: FieldUpdate, connection: Queryable): Promise<boolean> {
    const { field, value } = update;
    if (field === 'account_update' && value['event'] === 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE')
      return this.setAuthInternational(account.id, update, connection);
    if (field === 'account_update') return true; // kept in the inbox; nothing else of it is acted upon yet
    if (field !== 'phone_number_quality_update') return false;
    await connection.run(SET_NUMBER_QUALITY, [
      account.id,
      String(value['display_phone_number'] ?? '').replaceAll(/\D/g, ''),
      value['event'] === undefined ? null : String(value['event']),
      value['current_limit'] === undefined ? null : String(value['current_limit']),
    ]);
    return true;
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

const SET_NUMBER_QUALITY: Statement = {
  name: 'number_set_quality',
  text: `
    UPDATE messaging_accounts SET quality = coalesce($3, quality), messaging_limit = coalesce($4, messaging_limit)
    WHERE business_account_id = $1 AND phone = $2`,
};
