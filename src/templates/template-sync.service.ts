import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { ProviderClient } from '../provider/provider.client.js';
import type { WireTemplate } from '../provider/wire.js';
import { TemplateStore, type SyncResult } from './template.store.js';

/** Milliseconds between two syncs of an account that webhooks ask for; the provider allows 200 calls an hour. */
const REFRESH_INTERVAL = 20_000;

/**
 * Milliseconds for reading the whole list with all pages; a single page has a shorter limit. The longest possible list
 * has some thirty pages.
 */
export const SYNC_LIMIT = 4 * 60_000;

/** Copies the provider's list of templates into the database. */
@Injectable()
export class TemplateSyncService implements OnModuleDestroy {
  private readonly logger = new Logger(TemplateSyncService.name);
  private readonly running = new Map<string, Promise<SyncResult>>();
  private readonly waiting = new Map<string, Promise<SyncResult>>();
  private readonly refreshes = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();
  private readonly listing = new Set<AbortController>();
  private readonly outcomes: Counter<'outcome'>;
  private stopped = false;

  constructor(
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly templates: TemplateStore,
    private readonly clock: Clock,
    registry: MetricsRegistry,
  ) {
    this.outcomes = new Counter({
      name: 'tms_template_syncs_total',
      help: "Copies of a business account's templates from the provider, by whether they succeeded",
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /**
   * Syncs one business account now. All who ask while a sync is running share the next one: the list under way may be
   * older than the change that they know of.
   * @throws ProviderError
   */
  async sync(businessAccountId: string): Promise<SyncResult> {
    const running = this.running.get(businessAccountId);
    if (!running) return this.start(businessAccountId);
    const next = this.waiting.get(businessAccountId) ?? this.startAfter(running, businessAccountId);
    this.waiting.set(businessAccountId, next);
    return next;
  }

  /**
   * Syncs it at once, or when the last refresh is long enough ago. A failure is logged and left to the next regular
   * sync.
   */
  refresh(businessAccountId: string): void {
    const last = this.refreshes.get(businessAccountId);
    if (last) {
      last.again = true;
      return;
    }
    const timer = setTimeout(() => this.endRefresh(businessAccountId), REFRESH_INTERVAL).unref();
    this.refreshes.set(businessAccountId, { timer, again: false });
    void this.attempt(businessAccountId);
  }

  /** Gives up lists that are being read, so that the stop does not wait for the provider: a later sync asks again. */
  onModuleDestroy(): void {
    this.stopped = true;
    for (const { timer } of this.refreshes.values()) clearTimeout(timer);
    for (const listing of this.listing) listing.abort();
  }

  private async start(businessAccountId: string): Promise<SyncResult> {
    const copying = this.counted(this.copy(businessAccountId));
    this.running.set(businessAccountId, copying);
    try {
      return await copying;
    } finally {
      this.running.delete(businessAccountId);
    }
  }

  private async startAfter(running: Promise<SyncResult>, businessAccountId: string): Promise<SyncResult> {
    await running.catch(() => undefined); // those who had asked for it get its error
    this.waiting.delete(businessAccountId);
    return this.start(businessAccountId);
  }

  private endRefresh(businessAccountId: string): void {
    const again = this.refreshes.get(businessAccountId)?.again;
    this.refreshes.delete(businessAccountId);
    if (again) this.refresh(businessAccountId);
  }

  private async attempt(businessAccountId: string): Promise<void> {
    try {
      await this.sync(businessAccountId);
    } catch (error) {
      if (this.stopped) return;
      this.logger.warn(
        `Templates of business account ${businessAccountId} not synced: ${(error as Error).message}`,
      );
    }
  }

  private async copy(businessAccountId: string): Promise<SyncResult> {
    const account = await this.accounts.secretsOf(businessAccountId);
    if (!account) throw new Error(`There is no business account ${businessAccountId}`);
    const listedAt = this.clock.now();
    const listed = await this.list(account);
    const result = await this.templates.replaceAll(account, listed, listedAt);
    this.logger.log({ message: 'Templates synced', businessAccountId, ...result });
    return result;
  }

  private async list(account: BusinessAccountSecrets): Promise<WireTemplate[]> {
    const listing = new AbortController();
    this.listing.add(listing);
    const limit = setTimeout(() => listing.abort(), SYNC_LIMIT);
    if (this.stopped) listing.abort();
    try {
      return await this.provider.listTemplates(account, account.wabaId, { signal: listing.signal });
    } finally {
      clearTimeout(limit);
      this.listing.delete(listing);
    }
  }

  private async counted(copying: Promise<SyncResult>): Promise<SyncResult> {
    try {
      const result = await copying;
      this.outcomes.inc({ outcome: 'synced' });
      return result;
    } catch (error) {
      if (!this.stopped) this.outcomes.inc({ outcome: 'failed' });
      throw error;
    }
  }
}
