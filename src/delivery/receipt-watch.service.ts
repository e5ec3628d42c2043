import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';

const KIND = 'receipts_missing';

/** Milliseconds for which receipts may be missing. */
const PATIENCE = 10 * 60_000;

/** Messages without a receipt of any from which on it is no chance. */
const LEAST = 5;

interface SilentAccount {
  id: string;
  tenant_id: string;
  waba_id: string;
  since: Date;
}

/**
 * Watches that the provider tells of what was sent: every message that it takes has a receipt within seconds. Where none has
 * come for ten minutes though messages go out, the webhook leads nowhere.
 */
@Injectable()
export class ReceiptWatchService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Alerts the accounts that get no receipts, and ends the alerts of those that get some again. */
  async look(): Promise<void> {
    const now = this.clock.now();
    await this.database.run(END_OF_HEARD, [now]);
    const values = [new Date(now.getTime() - PATIENCE), LEAST, this.config.UNKNOWN_OUTCOME_WINDOW];
    for (const { id, tenant_id, waba_id, since } of await this.database.run<SilentAccount>(SILENT, values))
      await this.alerts.raise({
        kind: KIND,
        severity: 'error',
        tenantId: tenant_id,
        businessAccountId: id,
        subject: id,
        text: `Messages of the business account ${waba_id} are sent, but no receipt has come for ten minutes. Whether they arrive is not known.`,
        details: {},
        occurredAt: since,
      });
  }
}

/**
 * Accounts with $2 messages or more that were sent after their last receipt, the first of them before $1, which are not alerted.
 * Receipts that come within $3 seconds of one that was noted are not noted themselves (WebhookArrivals). What numbers have sent is
 * known for an hour (NumberActivityStore).
 */
const SILENT: Statement = {
  name: 'receipts_silent_accounts',
  text: `
    SELECT b.id, b.tenant_id, b.waba_id, min(s.slot) AS since
    FROM number_activity s JOIN messaging_accounts n ON n.id = s.messaging_account_id
    JOIN business_accounts b ON b.id = n.business_account_id
    WHERE s.slot > coalesce(b.receipts_seen_until + $3 * interval '1 second', '-infinity')
      AND NOT EXISTS (
        SELECT FROM alerts a
        WHERE a.kind = '${KIND}' AND a.subject = b.id::text
          AND (a.ended_at IS NULL OR a.occurred_at >= coalesce(b.receipts_seen_until, '-infinity')))
    GROUP BY b.id HAVING sum(s.sent) >= $2 AND min(s.slot) <= $1::timestamptz`,
};

const END_OF_HEARD: Statement = {
  name: 'alerts_end_of_heard',
  text: `
    UPDATE alerts a SET ended_at = $1, ended_by = 'webhook' FROM business_accounts b
    WHERE a.ended_at IS NULL AND a.kind = '${KIND}' AND a.subject = b.id::text AND b.receipts_seen_until > a.occurred_at`,
};
