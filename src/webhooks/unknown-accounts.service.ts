import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { WebhookMetrics } from './webhook-metrics.js';

const KIND = 'unknown_account';

/** Milliseconds between two alerts of one account by one process. */
const INTERVAL = 60_000;

/**
 * How many accounts of unsigned deliveries are alerted by their id, both in total and by one process in an interval.
 * Anyone can send such deliveries, so there has to be a bound.
 */
const MOST_NAMED = 20;

/** Stands for all accounts beyond that bound. */
const OTHERS = 'others';

/** Counts and alerts the accounts that webhooks name and the service does not know. */
@Injectable()
export class UnknownAccountsService {
  private readonly logger = new Logger(UnknownAccountsService.name);
  /** Accounts that were alerted recently, and one entry for all others. */
  private readonly noted = new LRUCache<string, true>({ max: MOST_NAMED + 1, ttl: INTERVAL });

  constructor(
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
  ) {}

  /** To be called when a delivery without any known account was refused. Returns at once: the answer does not wait. */
  refused(wabaIds: string[]): void {
    this.metrics.unknownAccount();
    for (const id of wabaIds.slice(0, MOST_NAMED)) {
      this.noted.purgeStale();
      const isNamed = /^\d{5,30}$/.test(id) && (this.noted.size < MOST_NAMED || this.noted.has(id));
      const name = isNamed ? id : OTHERS;
      if (this.noted.has(name)) continue;
      this.noted.set(name, true);
      this.alertRefused(name).catch((error: Error) => {
        this.logger.warn(`Unknown account ${name} not alerted: ${error.message}`);
        this.noted.delete(name);
      });
    }
  }

  /**
   * To be called when deliveries with good signatures were put aside for unknown accounts.
   * @param wabaIds these accounts, for each delivery
   */
  async parked(wabaIds: string[][], connection: Queryable): Promise<void> {
    for (const _ of wabaIds) this.metrics.unknownAccount();
    // In the same order in all workers, so that they do not deadlock.
    for (const id of [...new Set(wabaIds.flat())].toSorted()) await this.alert(id, connection);
  }

  private async alertRefused(name: string): Promise<void> {
    const [open] = await this.database.run<{ others: number }>(OPEN_BESIDE, [name]);
    await this.alert((open?.others ?? 0) < MOST_NAMED ? name : OTHERS, this.database);
  }

  private async alert(name: string, connection: Queryable): Promise<void> {
    const which = name === OTHERS ? 'business accounts' : `the business account ${name}`;
    await this.alerts.raise(
      {
        kind: KIND,
        severity: 'warning',
        tenantId: null,
        businessAccountId: null,
        subject: name,
        text: `Webhooks come for ${which} that this service does not know. Add it, or end its webhooks at the provider.`,
        details: { waba_id: name },
        occurredAt: this.clock.now(),
      },
      connection,
    );
  }
}

const OPEN_BESIDE: Statement = {
  name: 'alerts_unknown_accounts',
  text: `SELECT count(*) AS others FROM alerts WHERE kind = '${KIND}' AND ended_at IS NULL AND subject <> $1`,
};
