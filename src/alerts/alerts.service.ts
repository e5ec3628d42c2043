import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Clock } from '../common/clock.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { tellEvents } from '../events/tell.sql.js';
import type { AlertKind, AlertSeverity } from './domain/alert-kind.js';

/** Characters of an alert's text at most. */
const LONGEST_TEXT = 1_000;

/** Days for which an ended alert is kept. Until then, a repeated webhook of the same event is recognised. */
const KEPT_DAYS = 90;

/** What ends an alert that a graver one says again. */
export const OVERTAKEN = 'overtaken';

/** An alert to be raised. */
export interface AlertNews {
  kind: AlertKind;
  severity: AlertSeverity;
  /** Null: for those who run the service. */
  tenantId: string | null;
  businessAccountId: string | null;
  /**
   * What it is about. There is one open alert of a kind and subject: it is told by mail once, and again only after it has
   * ended. What has to be told again in a new period has a subject that names the period.
   */
  subject: string;
  /** For people: what has happened, without recipients' phone numbers and without secrets. */
  text: string;
  details: Record<string, unknown>;
  occurredAt: Date;
  /** When it ends by itself; null: when its cause is gone, or people have seen it. */
  endsAt?: Date | null;
}

/** A user of the dashboard. */
export interface AlertReader {
  userId: string;
  tenantId: string;
  /** Whether alerts for the people who run the service are theirs too. */
  operator: boolean;
}

/** An open alert as people see it. */
export interface OpenAlert {
  alert_id: number;
  business_account_id: string | null;
  kind: AlertKind;
  severity: AlertSeverity;
  text: string;
  times: number;
  occurred_at: Date;
  ends_at: Date | null;
  /** False for alerts that end only with their cause. */
  may_dismiss: boolean;
}

/** Alerts: a line of the log, a metric, and a row that the dashboard shows until the cause is gone. */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger(AlertsService.name);
  private readonly raised: Counter<'kind' | 'severity'>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    registry: MetricsRegistry,
  ) {
    this.raised = new Counter({
      name: 'tms_alerts_total',
      help: 'Alerts by kind and severity',
      labelNames: ['kind', 'severity'],
      registers: [registry],
    });
  }

  /**
   * Raises an alert, unless it is no newer than the open one, or than one that has ended, of its kind and subject.
   * @param connection of the transaction that this is part of
   * @returns whether it is news
   */
  async raise(news: AlertNews, connection: Queryable = this.database): Promise<boolean> {
    const { kind, severity, tenantId, businessAccountId, subject, occurredAt } = news;
    const text = news.text.slice(0, LONGEST_TEXT);
    const rows = await connection.run<{ id: number }>(RAISE, [
      tenantId,
      businessAccountId,
      kind,
      severity,
      subject,
      text,
      JSON.stringify(news.details),
      occurredAt,
      news.endsAt ?? null,
      this.clock.now(),
    ]);
    if (!rows[0]) return false;
    this.raised.inc({ kind, severity });
    const line = { message: `Alert: ${text}`, alert_id: rows[0].id, kind, subject, businessAccountId };
    if (severity === 'error') this.logger.error(line);
    else if (severity === 'warning') this.logger.warn(line);
    else this.logger.log(line);
    return true;
  }

  /** Ends the open alerts of these kinds on the subject. @param by such as `webhook`, `time` or {@link OVERTAKEN} */
  async end(
    kinds: readonly AlertKind[],
    subject: string,
    by: string,
    connection: Queryable = this.database,
  ): Promise<void> {
    await connection.run(END, [this.clock.now(), by, kinds, subject]);
  }

  /**
   * Open alerts, those that matter most first.
   * @param forOperators also those that are for the people who run the service
   */
  open(tenantId: string, forOperators: boolean, reads: Queryable = this.database): Promise<OpenAlert[]> {
    return reads.run(OPEN, [tenantId, forOperators, this.clock.now()]);
  }

  /** The ids of open alerts that the user has not read. */
  async unread(
    { userId, tenantId, operator }: AlertReader,
    reads: Queryable = this.database,
  ): Promise<number[]> {
    const values = [tenantId, operator, this.clock.now(), userId];
    return (await reads.run<{ id: number }>(UNREAD, values)).map(({ id }) => id);
  }

  /** Notes that the user has read an open alert; null: all of them. @returns false when there is none that is theirs */
  async read({ userId, tenantId, operator }: AlertReader, id: number | null): Promise<boolean> {
    const values = [tenantId, operator, this.clock.now(), userId, id];
    return (await this.database.run(READ, values)).length > 0;
  }

  /** Ends an alert because somebody has seen it. @returns what it said; null when it is not open, or not theirs */
  async dismiss(
    id: number,
    tenantId: string,
    forOperators: boolean,
  ): Promise<{ kind: AlertKind; text: string } | null> {
    const values = [this.clock.now(), id, tenantId, forOperators];
    const [alert] = await this.database.run<{ kind: AlertKind; text: string }>(DISMISS, values);
    return alert ?? null;
  }

  /** Ends alerts whose time has come, and deletes those that ended long ago. */
  async tidy(): Promise<void> {
    const now = this.clock.now();
    await this.database.run(END_BY_TIME, [now]);
    await this.database.run(FORGET, [new Date(now.getTime() - KEPT_DAYS * 86_400_000)]);
  }
}

/**
 * Nothing is raised when an ended alert is as new: webhooks come more than once and out of order. A tenant's is told in the
 * stream, at $10.
 */
const RAISE: Statement = {
  name: 'alert_raise',
  text: `
    WITH raised AS (
      INSERT INTO alerts AS a (tenant_id, business_account_id, kind, severity, subject, text, details, occurred_at, ends_at,
        raised_at)
      SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::jsonb, $8::timestamptz, $9::timestamptz,
        $10::timestamptz
      WHERE NOT EXISTS (
        SELECT FROM alerts seen
        WHERE seen.kind = $3 AND seen.subject = $5 AND seen.ended_at IS NOT NULL AND seen.occurred_at >= $8)
      ON CONFLICT (kind, subject) WHERE ended_at IS NULL DO UPDATE SET
        severity = excluded.severity, text = excluded.text, details = excluded.details, times = a.times + 1,
        occurred_at = excluded.occurred_at, ends_at = excluded.ends_at
      WHERE a.occurred_at < excluded.occurred_at
      RETURNING *
    ), told AS (${tellEvents(
      `
        SELECT r.id AS place, r.tenant_id, 'account.alert' AS type, r.occurred_at, jsonb_build_object('alert_id', r.id,
          'waba_id', b.waba_id, 'kind', r.kind, 'severity', r.severity, 'text', r.text) AS data
        FROM raised r LEFT JOIN business_accounts b ON b.id = r.business_account_id WHERE r.tenant_id IS NOT NULL`,
      '$10::timestamptz',
    )}
    )
    SELECT id FROM raised`,
};

const END: Statement = {
  name: 'alert_end',
  text: `
    UPDATE alerts SET ended_at = $1, ended_by = $2
    WHERE ended_at IS NULL AND kind = ANY($3::text[]) AND subject = $4`,
};

/** Alerts whose cause is sure to end cannot be dismissed: a change of category happens or is withdrawn. */
const MAY_DISMISS = `kind <> 'category_change'`;

/** Open alerts `a` of a tenant ($1), and for operators ($2), at $3. */
const SHOWN = `
    a.ended_at IS NULL AND (a.tenant_id = $1 OR (a.tenant_id IS NULL AND $2)) AND (a.ends_at IS NULL OR a.ends_at > $3)`;

const OPEN: Statement = {
  name: 'alerts_open',
  text: `
    SELECT id AS alert_id, business_account_id, kind, severity, text, times, occurred_at, ends_at,
      ${MAY_DISMISS} AS may_dismiss
    FROM alerts a WHERE ${SHOWN}
    ORDER BY array_position(ARRAY['error', 'warning', 'info'], severity), occurred_at DESC, id DESC LIMIT 200`,
};

const UNREAD: Statement = {
  name: 'alerts_unread',
  text: `
    SELECT a.id FROM alerts a
    WHERE ${SHOWN} AND NOT EXISTS (SELECT FROM alert_reads r WHERE r.alert_id = a.id AND r.user_id = $4)
    ORDER BY a.id DESC LIMIT 200`,
};

const READ: Statement = {
  name: 'alerts_read',
  text: `
    WITH shown AS (
      SELECT a.id FROM alerts a WHERE ${SHOWN} AND ($5::integer IS NULL OR a.id = $5) FOR KEY SHARE
    ), noted AS (
      INSERT INTO alert_reads (alert_id, user_id, read_at) SELECT id, $4, $3 FROM shown
      ON CONFLICT (alert_id, user_id) DO NOTHING
    )
    SELECT id FROM shown`,
};

const DISMISS: Statement = {
  name: 'alert_dismiss',
  text: `
    UPDATE alerts SET ended_at = $1, ended_by = 'dashboard'
    WHERE id = $2 AND ended_at IS NULL AND ${MAY_DISMISS} AND (tenant_id = $3 OR (tenant_id IS NULL AND $4::boolean))
    RETURNING kind, text`,
};

const END_BY_TIME: Statement = {
  name: 'alerts_end_by_time',
  text: `UPDATE alerts SET ended_at = $1, ended_by = 'time' WHERE ended_at IS NULL AND ends_at <= $1`,
};

const FORGET: Statement = {
  name: 'alerts_forget',
  text: 'DELETE FROM alerts WHERE ended_at < $1',
};
