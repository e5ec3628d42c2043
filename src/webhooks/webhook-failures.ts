import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { callerAddress } from '../http/caller-address.js';
import { RequestLimit } from '../http/request-limit.js';
import { Config } from '../config/config.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** What a request to the webhooks' address has to prove: its body, or who registers the address. */
export type WebhookCheck = 'signature' | 'verify_token';

/** Milliseconds between two lines of the log about one address. */
const INTERVAL = 60_000;

/** Addresses about which there are lines in an interval: anyone may send such requests, from as many as they have. */
const MOST_NAMED = 20;

/**
 * Counts requests to the webhooks' address that fail their check, by the address they come from. One with too many is
 * told so, and its failures cost no more than the check. What passes is taken from any address: behind a proxy that is
 * not in TRUSTED_PROXIES, the provider has that of everybody else. Failed API keys are counted apart for the same reason.
 * Nothing is to be had by guessing: a signature cannot be guessed, and the verify token opens nothing.
 */
@Injectable()
export class WebhookFailures {
  private readonly logger = new Logger(WebhookFailures.name);
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
