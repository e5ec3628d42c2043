import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { ProviderClient } from '../provider/provider.client.js';
import { TemplateStore, type SyncResult } from './template.store.js';

/** Milliseconds between two syncs of an account that webhooks ask for; the provider allows 200 calls an hour. */
const REFRESH_INTERVAL = 20_000;

/** Copies the provider's list of templates into the database. */
@Injectable()
export class TemplateSyncService implements OnModuleDestroy {
  private readonly logger = new Logger(TemplateSyncService.name);
  private readonly running = new Map<string, Promise<SyncResult>>();
  private readonly waiting = new Map<string, Promise<SyncResult>>();
  private readonly refreshes = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();

  constructor(
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly templates: TemplateStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Syncs one business account now. While a sync is running, the next one is shared by all who ask for it: the list
   * that is under way may be older than what they know of.
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

  /** Syncs every business account whose last sync is older than `age` milliseconds. */
  async syncOlderThan(age: number): Promise<void> {
    const before = new Date(this.clock.now().getTime() - age);
    for (const { id } of await this.database.run<{ id: string }>(STALE, [before])) await this.attempt(id);
  }

  onModuleDestroy(): void {
    for (const { timer } of this.refreshes.values()) clearTimeout(timer);
  }

  private async start(businessAccountId: string): Promise<SyncResult> {
    const copying = this.copy(businessAccountId);
    this.running.set(businessAccountId, copying);
    try {
      return await copying;
    } finally {
      this.running.delete(businessAccountId);
    }
  }

  private async startAfter(running: Promise<SyncResult>, businessAccountId: string): Promise<SyncResult> {
    await running.catch(() => undefined); // it failed for those who had asked for it
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
      this.logger.warn(
        `Templates of business account ${businessAccountId} not synced: ${(error as Error).message}`,
      );
    }
  }

  private async copy(businessAccountId: string): Promise<SyncResult> {
    const account = await this.accounts.secretsOf(businessAccountId);
    if (!account) throw new Error(`There is no business account ${businessAccountId}`);
    const listedAt = this.clock.now();
    const listed = await this.provider.listTemplates(account, account.wabaId);
    const result = await this.templates.replaceAll(account, listed, listedAt);
    this.logger.log({ message: 'Templates synced', businessAccountId, ...result });
    return result;
  }
}

const STALE: Statement = {
  name: 'business_accounts_stale',
  text: `
    SELECT id FROM business_accounts
    WHERE templates_synced_at IS NULL OR templates_synced_at < $1
    ORDER BY templates_synced_at NULLS FIRST`,
};
