import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Clock } from '../common/clock.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Database, type Statement } from '../database/database.js';

/** Amounts are decimals with six places, as text. */
export interface LedgerCurrency {
  currency: string;
  charged: string;
  refunded: string;
  /** The cost of all messages that are neither failed nor canceled. */
  cost: string;
}

/** A message whose entries do not come to its cost. */
export interface LedgerDifference {
  message_log_id: number;
  tenant_id: string;
  currency: string;
  /** Null where there is no such message. */
  status: string | null;
  charged: string;
  refunded: string;
  cost: string;
}

export interface LedgerReport {
  /** Whether charges less refunds equal the cost, for every single message and so in total. */
  balanced: boolean;
  tenants: number;
  messages: number;
  currencies: LedgerCurrency[];
  /** The first 20. */
  differences: LedgerDifference[];
}

/** Tells whether the ledger agrees with the messages. */
@Injectable()
export class LedgerService {
  private readonly logger = new Logger(LedgerService.name);
  private readonly checked: Counter;
  private readonly unbalanced: Counter;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    registry: MetricsRegistry,
  ) {
    this.checked = new Counter({
      name: 'tms_ledger_checked_total',
      help: 'Messages whose charges less refunds were compared with their cost, some each minute in the whole service',
      registers: [registry],
    });
    this.unbalanced = new Counter({
      name: 'tms_ledger_unbalanced_total',
      help: 'Those of them whose charges less refunds were not their cost: there never should be one',
      registers: [registry],
    });
  }

  /**
   * Checks some of the newest million messages, others each time: it costs the same, however many there are.
   * @param random where to begin, from 0 to 1
   */
  async checkSome(random = Math.random()): Promise<void> {
    const [found] = await this.database.run<{ checked: number; unbalanced: number[] }>(CHECK_SOME, [random]);
    const { checked, unbalanced } = found!;
    this.checked.inc(checked);
    this.unbalanced.inc(unbalanced.length);
    if (unbalanced.length === 0) return;
    const message = 'The ledger does not balance: npm run admin -- ledger:verify tells more';
    this.logger.error({ message, message_log_ids: unbalanced.slice(0, 20) });
  }

  /** Reads all messages and entries, as they were at one moment: on a large database that takes minutes. */
  async verify(): Promise<LedgerReport> {
    const [report] = await this.database.run<Omit<LedgerReport, 'balanced'>>(VERIFY, [this.clock.now()]);
    if (!report) throw new Error('The ledger could not be read');
    return { balanced: report.differences.length === 0, ...report };
  }
}

/** Messages of one look, and how far back it may begin. */
const SOME = 500;
const NEWEST = 1_000_000;

/** The equation below, for some messages one after the other. What a message was charged is no older than itself. */
export const CHECK_SOME: Statement = {
  name: 'ledger_check_some',
  text: `
    WITH chosen AS MATERIALIZED (
      SELECT id, created_at, CASE WHEN status IN ('failed', 'canceled') THEN 0 ELSE cost END AS cost FROM message_logs
      WHERE id <= (SELECT max(id) FROM message_logs) - floor(
        $1::double precision * least(${NEWEST}, (SELECT max(id) - min(id) FROM message_logs)))::bigint
      ORDER BY id DESC LIMIT ${SOME}
    ), account AS (
      SELECT c.id, c.cost, b.booked FROM chosen c CROSS JOIN LATERAL (
        SELECT coalesce(sum(CASE l.kind WHEN 'charge' THEN l.amount ELSE -l.amount END), 0) AS booked
        FROM ledger_entries l WHERE l.message_log_id = c.id AND l.created_at >= c.created_at
      ) b
    )
    SELECT count(*) AS checked, coalesce(json_agg(id) FILTER (WHERE booked <> cost), '[]') AS unbalanced
    FROM account`,
};

/**
 * The equation: charges less refunds = the cost, which is nothing for a failed or canceled message. It is checked for
 * each message, so that two faults cannot cancel each other out. One statement sees one snapshot, and each arrow writes
 * message and entries in one statement. Entries outlive their messages: when a message was deleted for its age, its
 * entries only have to fit each other. None is deleted within three days (src/scheduling/expiry.service.ts).
 */
export const VERIFY: Statement = {
  name: 'ledger_verify',
  timeout: 3_600_000, // it reads everything there is
  text: `
    WITH booked AS (
      SELECT message_log_id, tenant_id, currency, max(created_at) AS last_at, max(amount) AS cost,
        coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0.000000) AS charged,
        coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0.000000) AS refunded
      FROM ledger_entries GROUP BY message_log_id, tenant_id, currency
    ), account AS MATERIALIZED (
      SELECT coalesce(m.id, b.message_log_id) AS message_log_id, coalesce(m.tenant_id, b.tenant_id) AS tenant_id,
        coalesce(m.currency, b.currency) AS currency, m.status,
        coalesce(b.charged, 0.000000) AS charged, coalesce(b.refunded, 0.000000) AS refunded,
        CASE
          WHEN m.id IS NOT NULL THEN CASE WHEN m.status IN ('failed', 'canceled') THEN 0.000000 ELSE m.cost END
          WHEN b.last_at < $1::timestamptz - interval '3 days' AND b.charged > b.refunded THEN b.cost
          ELSE 0.000000
        END AS cost,
        b.message_log_id IS NOT NULL
          AND (m.id IS NOT NULL OR b.last_at < $1::timestamptz - interval '3 days') AS is_known
      FROM booked b FULL JOIN message_logs m
        ON m.id = b.message_log_id AND m.tenant_id = b.tenant_id AND m.currency = b.currency
    ), difference AS (
      SELECT message_log_id, tenant_id, currency, status, charged::text, refunded::text, cost::text
      FROM account WHERE charged - refunded <> cost OR NOT is_known ORDER BY message_log_id LIMIT 20
    ), total AS (
      SELECT currency, sum(charged)::text AS charged, sum(refunded)::text AS refunded, sum(cost)::text AS cost
      FROM account GROUP BY currency ORDER BY currency
    )
    SELECT (SELECT count(DISTINCT tenant_id) FROM account) AS tenants,
      (SELECT count(status) FROM account) AS messages,
      (SELECT coalesce(json_agg(total), '[]') FROM total) AS currencies,
      (SELECT coalesce(json_agg(difference), '[]') FROM difference) AS differences`,
};
