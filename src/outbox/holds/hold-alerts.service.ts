import { Injectable } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { Clock } from '../../common/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { ACCOUNT_HOLD_CAUSES } from './account-hold.js';
import { alertOfHold, HOLD_KINDS, type NamedHold } from './hold-alert.js';

/**
 * Alerts holds, whoever has placed them, and ends the alerts with the holds. It compares the two: what places a hold has
 * nothing to do with alerts, and a hold that is gone within the second is none that people have to know of.
 */
@Injectable()
export class HoldAlertsService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async settle(): Promise<void> {
    await this.database.run(END_OF_ENDED, [this.clock.now(), HOLD_KINDS]);
    const holds = await this.database.run<NamedHold>(NOT_ALERTED, [HOLD_KINDS, ACCOUNT_HOLD_CAUSES]);
    for (const hold of holds)
      await this.alerts.raise({
        ...alertOfHold(hold),
        severity: 'error',
        tenantId: hold.tenant_id,
        businessAccountId: hold.business_account_id,
        details: { hold_id: hold.id, cause: hold.cause, code: hold.code },
        occurredAt: hold.created_at,
      });
  }
}

/**
 * Open holds without an alert, oldest first; not those that have been dismissed, those of webhooks ($2), which have alerts of
 * their own, those of paused templates that are alerted already, and those of restores, which an operator has begun.
 */
const NOT_ALERTED: Statement = {
  name: 'holds_not_alerted',
  text: `
    SELECT h.id, h.tenant_id, h.scope, h.target_id, h.cause, (h.error ->> 'code')::integer AS code,
      h.error ->> 'title' AS title, h.created_at, b.id AS business_account_id, b.waba_id,
      coalesce(n.name, t.name) AS name, coalesce(n.api_id, t.language) AS detail
    FROM holds h
    LEFT JOIN messaging_accounts n ON n.id = CASE h.scope WHEN 'number' THEN h.target_id::integer END
    LEFT JOIN templates t ON t.id = CASE h.scope WHEN 'template' THEN h.target_id::integer END
    LEFT JOIN business_accounts b ON b.id = CASE h.scope WHEN 'business_account' THEN h.target_id::uuid
      ELSE coalesce(n.business_account_id, t.business_account_id) END
    WHERE h.lifted_at IS NULL AND h.scope <> 'restore' AND h.cause <> ALL($2::text[])
      AND NOT EXISTS (
        SELECT FROM alerts a
        WHERE a.kind = ANY($1::text[]) AND a.subject = h.scope || ':' || h.target_id
          AND (a.ended_at IS NULL OR a.occurred_at >= h.created_at))
      AND NOT EXISTS (
        SELECT FROM alerts a
        WHERE h.scope = 'template' AND a.kind = 'template_paused' AND a.subject = h.target_id AND a.ended_at IS NULL)
    ORDER BY h.id LIMIT 100`,
};

const END_OF_ENDED: Statement = {
  name: 'alerts_end_of_ended_holds',
  text: `
    UPDATE alerts a SET ended_at = $1, ended_by = 'hold'
    WHERE a.ended_at IS NULL AND a.kind = ANY($2::text[]) AND NOT EXISTS (
      SELECT FROM holds h
      WHERE h.scope = split_part(a.subject, ':', 1) AND h.target_id = split_part(a.subject, ':', 2) AND h.lifted_at IS NULL)`,
};
