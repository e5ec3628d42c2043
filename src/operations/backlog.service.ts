import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { within } from '../common/within.js';
import type { Statement } from '../database/database.js';
import { Reads } from '../database/reads.js';
import { isOfNumber, SHARDS } from '../shards/shards.js';
import { waitingNumbers } from '../scheduling/due-numbers.store.js';

/** Each kind of backlog is counted up to this number, so that a look does not cost more the more waits. */
export const BACKLOG_LIMIT = 10_000;

/** The numbers of `tms_number_oldest_due_seconds` at most, and the seconds from which on one is late enough for it. */
export const LATE_NUMBERS = 20;
export const LATE_AFTER = 30;

/** Milliseconds for which a result is used again: however often somebody asks, PostgreSQL is asked no more often. */
const KEPT = 1_000;

/** Milliseconds that a request for metrics waits for PostgreSQL. */
const PATIENCE = 1_000;

/** What waits; each count goes up to the limit. */
interface Backlog {
  messages_due: number;
  messages_held: number;
  messages_sending: number;
  webhooks_pending: number;
  webhooks_parked: number;
  /** Seconds for which the oldest has been due: of the messages that no hold keeps, and of the webhooks. */
  oldest_message: number;
  oldest_webhook: number;
  /** The numbers whose oldest message is the latest, by the ids that the API has for them. */
  late_numbers: { number: string; seconds: number }[];
}

interface HoldCount {
  scope: string;
  cause: string;
  count: number;
}

interface AlertCount {
  kind: string;
  severity: string;
  count: number;
}

/** What waits and what is on hold, in the whole service. Read from PostgreSQL when somebody asks for metrics. */
@Injectable()
export class BacklogService {
  private readonly logger = new Logger(BacklogService.name);
  private readonly waiting: Gauge<'state'>;
  private readonly oldestMessage: Gauge;
  private readonly oldestOfNumbers: Gauge<'messaging_account_id'>;
  private readonly oldestWebhook: Gauge;
  private readonly holds: Gauge<'scope' | 'cause'>;
  private readonly alerts: Gauge<'kind' | 'severity'>;
  private readonly known: Gauge;
  private reading: Promise<void> | undefined;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(
    registry: MetricsRegistry,
    private readonly reads: Reads,
  ) {
    const registers = [registry];
    this.waiting = new Gauge({
      name: 'tms_backlog',
      help:
        'What waits: messages due and not claimed, messages held for their template, messages sending, webhooks not ' +
        `applied, webhooks put aside; each counted up to ${BACKLOG_LIMIT}`,
      labelNames: ['state'],
      registers,
    });
    this.oldestMessage = new Gauge({
      name: 'tms_oldest_due_seconds',
      help: 'How long the oldest message that no hold keeps has been due; 0 when none is',
      registers,
    });
    this.oldestOfNumbers = new Gauge({
      name: 'tms_number_oldest_due_seconds',
      help: `The same by number, for the ${LATE_NUMBERS} numbers where it is the longest, from ${LATE_AFTER} seconds on`,
      labelNames: ['messaging_account_id'],
      registers,
    });
    this.oldestWebhook = new Gauge({
      name: 'tms_inbox_oldest_seconds',
      help: 'How long the oldest webhook delivery has waited to be applied; 0 when none does',
      registers,
    });
    this.holds = new Gauge({
      name: 'tms_holds',
      help: 'Open holds by what they hold and why',
      labelNames: ['scope', 'cause'],
      registers,
    });
    this.alerts = new Gauge({
      name: 'tms_alerts',
      help: 'Open alerts by what they are about and how much it matters',
      labelNames: ['kind', 'severity'],
      registers,
    });
    this.known = new Gauge({
      name: 'tms_backlog_known',
      help: '1 when what waits, tms_holds and tms_alerts could be read from PostgreSQL, else 0, without them',
      registers,
    });
  }

  /**
   * Brings the gauges up to date within a second. Never fails: without PostgreSQL, the process' own metrics are still
   * shown.
   */
  async look(): Promise<void> {
    if (performance.now() - this.readAt < KEPT) return;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
      this.readAt = performance.now();
    });
    await within(PATIENCE, this.reading, () => new Error(`no answer in ${PATIENCE} ms`)).catch((error) =>
      this.goWithout(error),
    );
  }

  private async read(): Promise<void> {
    try {
      const [[backlog], holds, alerts] = await Promise.all([
        this.reads.run<Backlog>(BACKLOG),
        this.reads.run<HoldCount>(HOLDS),
        this.reads.run<AlertCount>(ALERTS),
      ]);
      this.forget();
      this.showBacklog(backlog!);
      for (const { scope, cause, count } of holds) this.holds.set({ scope, cause }, count);
      for (const { kind, severity, count } of alerts) this.alerts.set({ kind, severity }, count);
      this.known.set(1);
    } catch (error) {
      this.goWithout(error);
    }
  }

  private showBacklog({ oldest_message, oldest_webhook, late_numbers, ...counts }: Backlog): void {
    for (const [state, count] of Object.entries(counts)) this.waiting.set({ state }, count);
    this.oldestMessage.set(oldest_message);
    this.oldestWebhook.set(oldest_webhook);
    for (const { number, seconds } of late_numbers)
      this.oldestOfNumbers.set({ messaging_account_id: number }, seconds);
  }

  private goWithout(error: unknown): void {
    this.logger.warn(`Metrics go without what waits: ${(error as Error).message}`);
    this.forget();
    this.known.set(0);
  }

  private forget(): void {
    this.waiting.reset();
    this.oldestMessage.remove();
    this.oldestOfNumbers.reset();
    this.oldestWebhook.remove();
    this.holds.reset();
    this.alerts.reset();
  }
}

/** Counts rows up to the limit, by an index that fits the condition. */
const counted = (rows: string) =>
  `(SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${BACKLOG_LIMIT}) counted)`;

const secondsSince = (time: string) => `greatest(0, extract(epoch FROM now() - ${time}))::double precision`;

/**
 * Due messages are read number by number, from the oldest on, and only of numbers that have some. A message that a hold
 * keeps is not late: `tms_holds` tells of it.
 */
export const BACKLOG: Statement = {
  name: 'metrics_backlog',
  text: `
    WITH RECURSIVE ${waitingNumbers(`generate_series(0, ${SHARDS - 1})`)}, on_hold AS MATERIALIZED (
      SELECT n.id FROM holds h CROSS JOIN LATERAL (
        SELECT id FROM messaging_accounts
        WHERE id = CASE h.scope WHEN 'number' THEN h.target_id::integer END
          OR business_account_id = CASE h.scope WHEN 'business_account' THEN h.target_id::uuid END
      ) n WHERE h.lifted_at IS NULL
    ), late AS MATERIALIZED (
      SELECT id, ${secondsSince('due_at')} AS seconds FROM waiting
      WHERE due_at <= now() AND id NOT IN (SELECT id FROM on_hold) ORDER BY due_at LIMIT ${LATE_NUMBERS}
    )
    SELECT ${counted(`waiting w CROSS JOIN LATERAL (
        SELECT FROM outbox o
        WHERE o.resolve_at IS NULL AND o.held_by IS NULL AND ${isOfNumber('o.', 'w.id')} AND o.due_at <= now()
        ORDER BY o.due_at LIMIT ${BACKLOG_LIMIT}
      ) due WHERE w.due_at <= now()`)} AS messages_due,
      ${counted('outbox WHERE held_by IS NOT NULL ORDER BY held_by')} AS messages_held,
      ${counted('outbox WHERE resolve_at IS NOT NULL ORDER BY resolve_at')} AS messages_sending,
      ${counted('webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL ORDER BY next_try_at')}
        AS webhooks_pending,
      ${counted('webhook_inbox WHERE parked_at IS NOT NULL')} AS webhooks_parked,
      coalesce((SELECT max(seconds) FROM late), 0) AS oldest_message,
      coalesce((
        SELECT ${secondsSince('next_try_at')} FROM webhook_inbox
        WHERE processed_at IS NULL AND parked_at IS NULL ORDER BY next_try_at LIMIT 1
      ), 0) AS oldest_webhook,
      (
        SELECT coalesce(json_agg(json_build_object('number', n.api_id, 'seconds', l.seconds)), '[]')
        FROM late l JOIN messaging_accounts n USING (id) WHERE l.seconds >= ${LATE_AFTER}
      ) AS late_numbers`,
};

const HOLDS: Statement = {
  name: 'metrics_holds',
  text: 'SELECT scope, cause, count(*) AS count FROM holds WHERE lifted_at IS NULL GROUP BY scope, cause',
};

const ALERTS: Statement = {
  name: 'metrics_alerts',
  text: `
    SELECT kind, severity, count(*) AS count FROM alerts
    WHERE ended_at IS NULL AND (ends_at IS NULL OR ends_at > now()) GROUP BY kind, severity`,
};
