import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { SharedCaches } from '../database/shared-cache.js';
import type { AuthInternational } from './auth-international.js';
import { ACCOUNT_CACHES as CACHES } from './account-caches.js';
import { BusinessAccount } from './business-account.entity.js';
import { MessagingAccount } from './messaging-account.entity.js';
import { registeredOnce } from './registered-once.js';
import { SecretBox } from './secret-box.js';

/** What can be changed of a business account; what is left out stays. */
export interface BusinessAccountChanges {
  appId?: string | null | undefined;
  accessToken?: string | undefined;
  appSecret?: string | undefined;
}

/** What can be changed of a number; what is left out stays. */
export interface NumberChanges {
  phoneNumberId?: string | undefined;
  /** Digits only. */
  phone?: string | undefined;
  name?: string | undefined;
  messagesPerSecond?: number | undefined;
}

/** Changes business accounts and numbers, and tells every process. */
@Injectable()
export class AccountChangesService {
  constructor(
    @InjectRepository(BusinessAccount) private readonly businessAccounts: Repository<BusinessAccount>,
    @InjectRepository(MessagingAccount) private readonly numbers: Repository<MessagingAccount>,
    private readonly secrets: SecretBox,
    private readonly caches: SharedCaches,
    private readonly database: Database,
  ) {}

  async changeBusinessAccount(
    { id, wabaId }: Pick<BusinessAccount, 'id' | 'wabaId'>,
    { appId, accessToken, appSecret }: BusinessAccountChanges,
  ): Promise<void> {
    const changes = {
      ...(appId !== undefined && { appId }),
      ...(accessToken !== undefined && {
        accessToken: this.secrets.seal(accessToken),
        // Earlier syncs may have failed because of the old token, so the next one is due at once.
        templateSyncDueAt: () => 'now()',
        templateSyncFailures: 0,
      }),
      ...(appSecret !== undefined && { appSecret: this.secrets.seal(appSecret) }),
    };
    if (Object.keys(changes).length === 0) return;
    await this.businessAccounts.update({ id }, changes);
    await this.caches.changed(CACHES.secretsById, id);
    await this.caches.changed(CACHES.secretsByWaba, wabaId);
    if (appSecret !== undefined) await this.caches.changed(CACHES.appSecrets);
  }

  /**
   * Sets from when on codes cost the international rate. A declaration that is newer than `at` stays in force.
   * @param at when this was declared
   * @param connection of the transaction that this is part of
   */
  async setAuthInternational(
    businessAccountId: string,
    starts: AuthInternational | null,
    at: Date,
    connection: Queryable = this.database,
  ): Promise<void> {
    const values = [businessAccountId, starts && JSON.stringify(starts), at];
    const changed = await connection.run(SET_AUTH_INTERNATIONAL, values);
    if (changed.length === 0) return;
    for (const cache of [CACHES.numbersByApiId, CACHES.numbersById, CACHES.onlyNumbers])
      await this.caches.changed(cache, '', connection);
  }

  /**
   * Notes a ban, restriction or removal, or the end of one.
   * @param at by the provider's clock
   * @returns false when a later event is noted already: webhooks come out of order, and more than once
   */
  async noteStateEvent(id: string, at: Date, connection: Queryable = this.database): Promise<boolean> {
    return (await connection.run(NOTE_STATE_EVENT, [id, at])).length > 0;
  }

  /** @throws ApiError VALIDATION_FAILED when the phone number id is another number's */
  async changeNumber(
    { id, apiId, tenantId }: Pick<MessagingAccount, 'id' | 'apiId' | 'tenantId'>,
    changes: NumberChanges,
  ): Promise<void> {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0) return;
    // What was read belongs to the number's former id at the provider, so it is read again.
    const readAgain = changes.phoneNumberId === undefined ? {} : { readDueAt: () => 'now()' };
    await registeredOnce(() => this.numbers.update({ id }, { ...given, ...readAgain }));
    await this.caches.changed(CACHES.numbersByApiId, apiId);
    await this.caches.changed(CACHES.numbersById, String(id));
    await this.caches.changed(CACHES.onlyNumbers, tenantId);
  }
}

const NOTE_STATE_EVENT: Statement = {
  name: 'business_account_note_state_event',
  text: `
    UPDATE business_accounts SET state_event_at = $2
    WHERE id = $1 AND (state_event_at <= $2) IS NOT FALSE RETURNING id`,
};

const SET_AUTH_INTERNATIONAL: Statement = {
  name: 'business_account_set_auth_international',
  text: `
    UPDATE business_accounts SET auth_international = $2, auth_international_at = $3::timestamptz
    WHERE id = $1 AND (auth_international_at IS NULL OR auth_international_at <= $3::timestamptz)
    RETURNING id`,
};
