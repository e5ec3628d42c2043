import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { callerAddress } from '../http/caller-address.js';
import { RequestLimit } from '../http/request-limit.js';
import { Config } from '../config/config.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** The check of a request to the webhooks' address: the signature of a body, or the token when it is registered. */
export type WebhookCheck = 'signature' | 'verify_token';

/** Milliseconds between two log lines about one address. */
const INTERVAL = 60_000;

/** The most addresses with log lines in an interval: anyone may send such requests, from any number of addresses. */
const MOST_NAMED = 20;

/**
 * Counts requests to the webhooks' address that fail their check, by the caller's address. A caller with too many gets
 * a 429, and its failures cost no more than the check. What passes the check is taken from any address: behind a proxy
 * that is not in TRUSTED_PROXIES, the provider shares one address with everybody. For the same reason, failed API keys
 * are counted separately. Guessing gains nothing: a signature cannot be guessed, and the verify token opens nothing.
 */
@Injectable()
export class WebhookFailuresService {
  private readonly logger = new Logger(WebhookFailuresService.name);
  private readonly limit?: RequestLimit;
  private readonly trustedProxies: number;
  private readonly named = new LRUCache<string, true>({ max: MOST_NAMED, ttl: INTERVAL });

  constructor(
    config: Config,
    private readonly metrics: WebhookMetrics,
  ) {
    this.trustedProxies = config.TRUSTED_PROXIES;
    if (config.THROTTLE_FAILURES > 0)
      this.limit = new RequestLimit(config.THROTTLE_FAILURES, 'Too many failed webhooks from this address.');
  }

  /** Notes a failure. @throws ApiError RATE_LIMITED when the address has had too many */
  async note(request: IncomingMessage, check: WebhookCheck): Promise<void> {
    const address = callerAddress(request, this.trustedProxies);
    this.metrics.failed(check);
    this.log(address, check);
    await this.limit?.spend(address);
  }

  /** @throws ApiError RATE_LIMITED when the address has had too many failures */
  async checkRoom(request: IncomingMessage): Promise<void> {
    await this.limit?.room(callerAddress(request, this.trustedProxies));
  }

  private log(address: string, check: WebhookCheck): void {
    const key = `${check} ${address}`;
    this.named.purgeStale();
    if (this.named.has(key) || this.named.size === MOST_NAMED) return;
    this.named.set(key, true);
    this.logger.warn({ message: 'Webhook refused: it fails its check', check, address });
  }
}
