import { Injectable } from '@nestjs/common';
import type { Queryable, Statement } from '../database/database.js';
import type { FieldUpdate } from './domain/read-webhook.js';

/** Keeps what is known of numbers and business accounts as the provider's webhooks describe them. */
@Injectable()
export class AccountUpdates {
  /** @returns false when the update is about something else */
  async apply(
    account: { id: string },
    { field, value }: FieldUpdate,
    connection: Queryable,
  ): Promise<boolean> {
    if (field === 'account_update') return true; // kept in the inbox; nothing of it is acted upon yet
    if (field !== 'phone_number_quality_update') return false;
    await connection.run(SET_NUMBER_QUALITY, [
      account.id,
      String(value['display_phone_number'] ?? '').replaceAll(/\D/g, ''),
      value['event'] === undefined ? null : String(value['event']),
      value['current_limit'] === undefined ? null : String(value['current_limit']),
    ]);
    return true;
  }
}

const SET_NUMBER_QUALITY: Statement = {
  name: 'number_set_quality',
  text: `
    UPDATE messaging_accounts SET quality = coalesce($3, quality), messaging_limit = coalesce($4, messaging_limit)
    WHERE business_account_id = $1 AND phone = $2`,
};
