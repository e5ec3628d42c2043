import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { ApiError } from '../common/errors.js';
import type { SpendScope } from './domain/spend-limit.js';

/** What a limit is for, as people name it: one of the two, or the whole tenant. */
export interface NamedTarget {
  /** A number's id in the API. */
  messagingAccountId?: string | undefined;
  apiKeyId?: string | undefined;
}

/** Finds what limits are for, by the ids that people know. */
@Injectable()
export class SpendTargetsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
  ) {}

  /**
   * @param platformKeys whether a key may be one that acts for any tenant
   * @throws ApiError ACCOUNT_NOT_FOUND; NOT_FOUND for a key; VALIDATION_FAILED for a number and a key at once
   */
  async find(
    tenantId: string,
    { messagingAccountId, apiKeyId }: NamedTarget,
    { platformKeys = false } = {},
  ): Promise<{ scope: SpendScope; targetId: string }> {
    if (messagingAccountId !== undefined && apiKeyId !== undefined)
      throw new ApiError('VALIDATION_FAILED', 'A limit is for a number or for an API key, not for both.');
    if (messagingAccountId !== undefined) {
      const { id } = await this.accounts.find(tenantId, messagingAccountId);
      return { scope: 'number', targetId: String(id) };
    }
    if (apiKeyId === undefined) return { scope: 'tenant', targetId: tenantId };
    const id = apiKeyId.toLowerCase();
    if (await this.keys.actsFor(id, tenantId, platformKeys)) return { scope: 'api_key', targetId: id };
    throw new ApiError('NOT_FOUND', 'There is no such API key.', [{ field: 'api_key_id' }]);
  }
}
