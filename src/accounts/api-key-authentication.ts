import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../common/errors.js';
import { Config } from '../config/config.js';
import { ApiKeysService, type Caller } from './api-keys.service.js';
import type { AuthenticatedRequest } from './current-caller.js';

const MINUTE = 60;

/**
 * Lets a request pass that carries a valid key, for the tenant it may act for, and within its rate. A middleware
 * rather than a guard: it comes before the body is even read. The limits are counted in each process, which they
 * protect, and do not depend on Redis.
 */
@Injectable()
export class ApiKeyAuthentication {
  private readonly requests?: RateLimiterMemory;
  private readonly failures?: RateLimiterMemory;

  constructor(
    private readonly apiKeys: ApiKeysService,
    config: Config,
  ) {
    if (config.THROTTLE_LIMIT > 0) this.requests = limiter(config.THROTTLE_LIMIT);
    if (config.THROTTLE_FAILURES > 0) this.failures = limiter(config.THROTTLE_FAILURES);
  }

  /** An Express middleware; Express passes on what it rejects with. */
  readonly handle = async (
    request: AuthenticatedRequest,
    _response: Response,
    next: NextFunction,
  ): Promise<void> => {
    try {
      request.caller = await this.recognise(request.headers);
    } catch (error) {
      // A valid key always passes; only the failures of an address are counted.
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') {
        await spend(this.failures, request.ip ?? '', 'Too many failed authentications from this address.');
      }
      throw error;
    }
    next();
  };

  /**
   * Who sends a request with these headers, within the rate of the key.
   * @throws ApiError UNAUTHORIZED, TENANT_FORBIDDEN, RATE_LIMITED
   */
  async recognise(headers: IncomingHttpHeaders): Promise<Caller> {
    const key = await this.apiKeys.authenticate(headers.authorization);
    await spend(this.requests, key.id, 'Too many requests with this API key.');
    const requested = headers['x-tenant-id'] as string | undefined; // Node joins repeated ones
    return { apiKeyId: key.id, tenantId: await this.apiKeys.selectTenant(key, requested) };
  }
}

function limiter(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: MINUTE });
}

async function spend(limits: RateLimiterMemory | undefined, key: string, message: string): Promise<void> {
  try {
    await limits?.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new ApiError('RATE_LIMITED', `${message} Try again in ${seconds} s.`, [], seconds);
  }
}
