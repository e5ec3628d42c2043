import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
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
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads all messages and entries, as they were at one moment: on a large database that takes minutes. */
  async verify(): Promise<LedgerReport> {
    const [report] = await this.database.run<Omit<LedgerReport, 'balanced'>>(VERIFY, [this.clock.now()]);
    if (!report) throw new Error('The ledger could not be read');
    return { balanced: report.differences.length === 0, ...report };
  }
}

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
