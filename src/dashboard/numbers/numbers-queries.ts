import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Statement } from '../../database/database.js';
import { Reads } from '../../database/reads.js';
import type { HoldScope } from '../../outbox/outcome.js';
import type { MessageError } from '../../messages/domain/message-error.js';
import { isOfNumber } from '../../shards/shards.js';

/** Waiting messages of a number are counted up to here: the page asks once a second. */
export const WAITING_LIMIT = 10_000;

export interface NumberRow {
  id: number;
  messaging_account_id: string;
  business_account_id: string;
  phone_number_id: string;
  phone: string;
  name: string;
  quality: string | null;
  /** The provider's, such as CONNECTED. */
  status: string | null;
  /** The provider's level, STANDARD or HIGH. */
  throughput: string | null;
  /** Of the whole portfolio. */
  messaging_limit: string | null;
  /** When the provider said so. */
  read_at: Date | null;
  messages_per_second: number;
  /** Messages that wait, without those under a hold on their template; up to {@link WAITING_LIMIT}. */
  waiting: number;
  /** How many of these are due. */
  due: number;
  oldest_due_at: Date | null;
  sent_last_minute: number;
}

export interface BusinessAccountRow {
  business_account_id: string;
  waba_id: string;
  app_id: string | null;
  templates: number;
  templates_synced_at: Date | null;
  webhook_seen_at: Date | null;
  /** The provider's id of the business that owns it; null where it is not known. */
  portfolio_id: string | null;
  /** People whom the portfolio has reached in 24 hours; null before the first count. */
  recipients: number | null;
  /** Whether there are more than `recipients` says. */
  recipients_is_more: boolean;
  recipients_counted_at: Date | null;
}

export interface HoldRow {
  hold_id: number;
  scope: HoldScope;
  cause: string;
  error: MessageError;
  created_at: Date;
  /** Null when no probe is to come. */
  next_probe_at: Date | null;
  business_account_id: string;
  /** Of a hold on a number. */
  number: { messaging_account_id: string; name: string } | null;
  /** Of a hold on a template. */
  template: { template_id: number; name: string; language: string } | null;
  /** Messages that wait under it, if it is a hold on a template; up to {@link WAITING_LIMIT}. */
  held: number;
}

/** What the page shows of a tenant's numbers. Every statement reads a bounded number of rows, by an index. */
@Injectable()
export class NumbersQueries {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /** In the order in which they were added. */
  numbers(tenantId: string): Promise<NumberRow[]> {
    return this.reads.of(tenantId).run(NUMBERS, [tenantId, this.clock.now()]);
  }

  businessAccounts(tenantId: string): Promise<BusinessAccountRow[]> {
    return this.reads.of(tenantId).run(BUSINESS_ACCOUNTS, [tenantId]);
  }

  /** Those that are open, oldest first. */
  holds(tenantId: string): Promise<HoldRow[]> {
    return this.reads.of(tenantId).run(HOLDS, [tenantId]);
  }
}

/** Rows are counted by `due_at`: messages that are due come first, so the limit cuts the others off. */
export const NUMBERS: Statement = {
  name: 'dashboard_numbers',
  text: `
    SELECT n.id, n.api_id AS messaging_account_id, n.business_account_id, n.phone_number_id, n.phone, n.name,
      n.quality, n.status, n.throughput, n.messaging_limit, n.read_at, n.messages_per_second, w.waiting, w.due, w.oldest_due_at, a.sent_last_minute
    FROM messaging_accounts n
    CROSS JOIN LATERAL (
      SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at <= $2::timestamptz) AS due,
        min(due_at) FILTER (WHERE due_at <= $2::timestamptz) AS oldest_due_at
      FROM (
        SELECT o.due_at FROM outbox o
        WHERE o.resolve_at IS NULL AND o.held_by IS NULL AND ${isOfNumber('o.', 'n.id')}
        ORDER BY o.due_at LIMIT ${WAITING_LIMIT}
      ) first
    ) w
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(sent), 0) AS sent_last_minute FROM number_activity
      WHERE messaging_account_id = n.id AND slot > $2::timestamptz - interval '1 minute'
    ) a
    WHERE n.tenant_id = $1 ORDER BY n.id`,
};

const BUSINESS_ACCOUNTS: Statement = {
  name: 'dashboard_number_accounts',
  text: `
    SELECT b.id AS business_account_id, b.waba_id, b.app_id, b.templates_synced_at, b.webhook_seen_at,
      b.portfolio_id, b.recipients, b.recipients_is_more, b.recipients_counted_at,
      (SELECT count(*) FROM templates t WHERE t.business_account_id = b.id AND t.removed_at IS NULL) AS templates
    FROM business_accounts b WHERE b.tenant_id = $1 ORDER BY b.created_at, b.id`,
};

/** Target ids are cast to the type of their table's key, so that its index is used. */
export const HOLDS: Statement = {
  name: 'dashboard_holds',
  text: `
    SELECT h.id AS hold_id, h.scope, h.cause, h.error, h.created_at,
      CASE WHEN isfinite(h.next_probe_at) THEN h.next_probe_at END AS next_probe_at,
      coalesce(n.business_account_id, t.business_account_id,
        CASE WHEN h.scope IN ('business_account', 'restore') THEN h.target_id::uuid END) AS business_account_id,
      CASE WHEN n.id IS NOT NULL THEN json_build_object('messaging_account_id', n.api_id, 'name', n.name) END AS number,
      CASE WHEN t.id IS NOT NULL
        THEN json_build_object('template_id', t.id, 'name', t.name, 'language', t.language) END AS template,
      k.held
    FROM holds h
    LEFT JOIN messaging_accounts n ON n.id = CASE WHEN h.scope = 'number' THEN h.target_id::integer END
    LEFT JOIN templates t ON t.id = CASE WHEN h.scope = 'template' THEN h.target_id::integer END
    CROSS JOIN LATERAL (
      SELECT count(*) AS held FROM (
        SELECT FROM outbox o WHERE o.held_by = h.id ORDER BY o.due_at LIMIT ${WAITING_LIMIT}
      ) first
    ) k
    WHERE h.tenant_id = $1 AND h.lifted_at IS NULL ORDER BY h.id`,
};
