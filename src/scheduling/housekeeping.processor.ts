import { InjectQueue, Process, Processor } from '@nestjs/bull';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { Clock } from '../common/clock.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { ReceiptWatchService } from '../delivery/receipt-watch.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { MessageStatsService } from '../statistics/message-stats.service.js';
import { PortfolioUseService } from '../numbers/portfolio-use.service.js';
import { SpendWatchService } from '../spending/spend-watch.service.js';
import { CategoryChangesService } from '../templates/category-changes.service.js';
import { RegularSyncsService } from '../templates/regular-syncs.service.js';
import { ExpiryService } from './expiry.service.js';

export const HOUSEKEEPING_QUEUE = '{tms-housekeeping}';

/** Milliseconds between two looks whether the repeated jobs are still there: Redis may have been wiped. */
const CLOCK = 5_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Every repeated job, by its name in Redis, and the milliseconds between two runs. */
export const HOUSEKEEPING_JOBS = {
  'sync-templates': MINUTE,
  'count-messages': MINUTE,
  'count-recipients': MINUTE,
  'check-ledger': MINUTE,
  'tidy-alerts': MINUTE,
  'tidy-spending': MINUTE,
  'expire-idempotency-keys': MINUTE,
  'expire-webhook-digests': MINUTE,
  'expire-messages': HOUR,
  'expire-inbox': HOUR,
  'expire-events': HOUR,
} as const;
type HousekeepingJob = keyof typeof HOUSEKEEPING_JOBS;

/**
 * Regular work, done once for the cluster however many workers there are: a run's job id is made of its name and
 * time, so that every worker adds the same one.
 */
@Processor(HOUSEKEEPING_QUEUE)
export class HousekeepingProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HousekeepingProcessor.name);
  private timer?: NodeJS.Timeout;
  private scheduling?: Promise<void> | undefined;
  private troubled = false;

  constructor(
    @InjectQueue(HOUSEKEEPING_QUEUE) private readonly queue: Queue,
    private readonly syncs: RegularSyncsService,
    private readonly stats: MessageStatsService,
    private readonly portfolioUse: PortfolioUseService,
    private readonly ledger: LedgerService,
    private readonly expiry: ExpiryService,
    private readonly alerts: AlertsService,
    private readonly categoryChanges: CategoryChangesService,
    private readonly spending: SpendWatchService,
    private readonly clock: Clock,
    private readonly receipts: ReceiptWatchService,
  ) {}

  onApplicationBootstrap(): void {
    // Not awaited: a worker starts with Redis out.
    this.look();
    this.timer = setInterval(() => this.look(), CLOCK);
    this.clock.onLeap(() => void this.runAll());
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.scheduling;
  }

  /** Begins them only: they keep in the database who does what, and would hold up the other jobs, and a stop. */
  @Process({ name: 'sync-templates' satisfies HousekeepingJob })
  syncTemplates(_job: Job): void {
    void this.syncs.run();
  }

  @Process({ name: 'count-messages' satisfies HousekeepingJob })
  async countMessages(_job: Job): Promise<void> {
    await this.stats.count();
  }

  @Process({ name: 'count-recipients' satisfies HousekeepingJob })
  async countRecipients(_job: Job): Promise<void> {
    await this.portfolioUse.count();
  }

  @Process({ name: 'check-ledger' satisfies HousekeepingJob })
  async checkLedger(_job: Job): Promise<void> {
    await this.ledger.checkSome();
  }

  @Process({ name: 'tidy-alerts' satisfies HousekeepingJob })
  async tidyAlerts(_job: Job): Promise<void> {
    await this.alerts.tidy();
    await this.categoryChanges.settle();
    await this.receipts.look();
  }

  @Process({ name: 'tidy-spending' satisfies HousekeepingJob })
  async tidySpending(_job: Job): Promise<void> {
    await this.spending.tidy();
  }

  @Process({ name: 'expire-idempotency-keys' satisfies HousekeepingJob })
  async expireIdempotencyKeys(_job: Job): Promise<void> {
    await this.expiry.idempotencyKeys();
  }

  @Process({ name: 'expire-webhook-digests' satisfies HousekeepingJob })
  async expireWebhookDigests(_job: Job): Promise<void> {
    await this.expiry.webhookDigests();
    await this.expiry.optOutLifts(); // kept for as long, for the same reason
  }

  @Process({ name: 'expire-messages' satisfies HousekeepingJob })
  async expireMessages(_job: Job): Promise<void> {
    await this.expiry.messages();
  }

  @Process({ name: 'expire-inbox' satisfies HousekeepingJob })
  async expireInbox(_job: Job): Promise<void> {
    await this.expiry.inbox();
  }

  @Process({ name: 'expire-events' satisfies HousekeepingJob })
  async expireEvents(_job: Job): Promise<void> {
    await this.expiry.events();
  }

  /** One at a time. */
  private look(): void {
    this.scheduling ??= this.schedule().finally(() => (this.scheduling = undefined));
  }

  /** Bull's own time does not leap: what is due by the service's clock is done now. */
  private async runAll(): Promise<void> {
    const once = { removeOnComplete: true, removeOnFail: true };
    const jobs = Object.keys(HOUSEKEEPING_JOBS).map((name) => ({ name, data: {}, opts: once }));
    await this.queue
      .addBulk(jobs)
      .catch((error: Error) => this.logger.warn(`Housekeeping waits for its hour: ${error.message}`));
  }

  private async schedule(): Promise<void> {
    try {
      await this.removeStale();
      for (const [name, every] of Object.entries(HOUSEKEEPING_JOBS)) {
        await this.queue.add(name, {}, { repeat: { every }, removeOnComplete: true, removeOnFail: true });
      }
      this.troubled = false;
    } catch (error) {
      if (!this.troubled) this.logger.warn(`Housekeeping not scheduled: ${(error as Error).message}`);
      this.troubled = true;
    }
  }

  /** Repeated jobs stay in Redis: those of an older version, by name or interval, would go on for ever. */
  private async removeStale(): Promise<void> {
    const intervals = new Map<string, number>(Object.entries(HOUSEKEEPING_JOBS));
    for (const { key, name, every } of await this.queue.getRepeatableJobs()) {
      if (intervals.get(name) !== every) await this.queue.removeRepeatableByKey(key);
    }
  }
}
