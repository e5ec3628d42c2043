import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { Config } from '../config/config.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysService, type Caller, keyHashOf } from './api-keys.service.js';
import type { Scope } from './domain/scopes.js';
import { callerAddress } from '../http/caller-address.js';
import type { AuthenticatedRequest } from './current-caller.js';
import { RequestLimit } from '../http/request-limit.js';

/**
 * Lets a request pass when its key is valid, may act for the tenant, and is within its rate. This happens before the
 * body is read.
 *
 * Once an address has failed too often, its guesses no longer reach PostgreSQL: from it, only keys pass that this
 * process has seen to be valid. A valid key that it has not seen looks like a guess, and is refused until the minute is
 * over.
 */
@Injectable()
export class ApiKeyAuthentication {
  private readonly requests?: RequestLimit;
  private readonly failures?: RequestLimit;
  private readonly trustedProxies: number;
  /** Look-ups that may turn out to be failures, by address. */
  private readonly underWay = new Map<string, Set<Promise<unknown>>>();

  constructor(
    private readonly apiKeys: ApiKeysService,
    config: Config,
  ) {
    this.trustedProxies = config.TRUSTED_PROXIES;
    if (config.THROTTLE_LIMIT > 0)
      this.requests = new RequestLimit(config.THROTTLE_LIMIT, 'Too many requests with this API key.');
    if (config.THROTTLE_FAILURES > 0)
      this.failures = new RequestLimit(
        config.THROTTLE_FAILURES,
        'Too many failed authentications from this address.',
      );
  }

  /** Notes in the request who sends it: {@link CallerGuard} and `@CurrentCaller()` look there. @throws as `recognise` */
  readonly check = async (request: AuthenticatedRequest): Promise<void> => {
    request.caller = await this.recognise(request);
  };

  /**
   * Lets the caller of a request that was checked do what needs the scope.
   * @throws ApiError SCOPE_MISSING
   */
  admit({ caller }: AuthenticatedRequest, scope: Scope | undefined): void {
    if (!caller || !scope) throw new Error('An operation is asked for without its caller or its scope.');
    if (caller.scopes.includes(scope)) return;
    const message = `This API key lacks the scope ${scope}, which this operation needs: use a key that has it.`;
    throw new ApiError('SCOPE_MISSING', message, [{ scope }]);
  }

  /**
   * Counts a request as so many more. It was within its rate when it came, and is not refused any more; those after it
   * may be.
   */
  async countMore({ apiKeyId }: Caller, more: number): Promise<void> {
    await this.requests?.add(apiKeyId, more);
  }

  /**
   * Who sends the request, within the rate of the key. To be called once for each request, as it counts.
   * @throws ApiError UNAUTHORIZED, TENANT_FORBIDDEN, RATE_LIMITED
   */
  private async recognise(request: IncomingMessage): Promise<Caller> {
    const key = await this.find(
      keyHashOf(request.headers.authorization),
      callerAddress(request, this.trustedProxies),
    );
    if (!key) {
      throw new ApiError(
        'UNAUTHORIZED',
        'Send a valid API key in the header "Authorization: Bearer <API_KEY>".',
      );
    }
    await this.requests?.spend(key.id);
    const requested = request.headers['x-tenant-id'] as string | undefined; // Node joins repeated ones
    const tenantId = await this.apiKeys.selectTenant(key, requested);
    return { apiKeyId: key.id, tenantId, scopes: key.scopes };
  }

  private async find(keyHash: string | null, address: string): Promise<ApiKey | null> {
    if (!this.failures || keyHash === null || this.apiKeys.isFamiliar(keyHash))
      return this.judge(keyHash, address);
    const room = await this.failures.room(address);
    const others = this.underWay.get(address) ?? new Set();
    if (others.size < room) return this.track(this.judge(keyHash, address), address, others);
    await Promise.race(others);
    return this.find(keyHash, address);
  }

  /** The valid key, or null. Null is counted as a failure of the address. */
  private async judge(keyHash: string | null, address: string): Promise<ApiKey | null> {
    const key = keyHash === null ? null : await this.apiKeys.find(keyHash);
    if (!key) await this.failures?.spend(address);
    return key;
  }

  private track<Result>(
    judging: Promise<Result>,
    address: string,
    others: Set<Promise<unknown>>,
  ): Promise<Result> {
    const tracked = judging.finally(() => {
      others.delete(tracked);
      if (others.size === 0) this.underWay.delete(address);
    });
    this.underWay.set(address, others.add(tracked));
    return tracked;
  }
}
