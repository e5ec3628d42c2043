import type { INestApplication } from '@nestjs/common';
import { Clock } from '../../src/common/clock.js';
import { MetricsRegistry } from '../../src/common/metrics-registry.js';
import { Database } from '../../src/database/database.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';

/** The check of all charges and refunds, as the admin command makes it; an API process does not have it. */
export const ledgerOf = (app: INestApplication) =>
  new LedgerService(app.get(Database), app.get(Clock), new MetricsRegistry());

/** SQL of the messages whose charges less refunds do not fit their status: there have to be none. */
export const UNBALANCED = `
  SELECT m.id FROM message_logs m LEFT JOIN ledger_entries l ON l.message_log_id = m.id GROUP BY m.id
  HAVING sum(CASE l.kind WHEN 'charge' THEN l.amount ELSE -l.amount END)
    <> CASE WHEN m.status IN ('failed', 'canceled') THEN 0 ELSE m.cost END`;
