import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';

/** A change of a template's category that the provider has announced. */
export interface CategoryChange {
  /** The template's present category, and the new one. */
  from: string;
  to: string;
  at: Date;
}

interface ChangingTemplate {
  id: number;
  name: string;
  language: string;
}

const KIND = 'category_change';

/** Announced changes of category: alerted, and shown with the template, until they have happened or are withdrawn. */
@Injectable()
export class CategoryChangesService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param connection of the transaction that this is part of */
  async announce(
    account: { id: string; tenantId: string },
    template: ChangingTemplate,
    change: CategoryChange & { saidAt: Date },
    connection: Queryable,
  ): Promise<void> {
    const { from, to, at, saidAt } = change;
    const day = at
      .toISOString()
      .replace(/:\d\d\.\d{3}Z$/, ' UTC')
      .replace('T', ' ');
    await this.alerts.raise(
      {
        kind: KIND,
        severity: 'warning',
        tenantId: account.tenantId,
        businessAccountId: account.id,
        subject: String(template.id),
        text: `${template.name} (${template.language}) is ${from} and becomes ${to} on ${day}, with the price of that.`,
        details: { template_id: template.id, from, to, at },
        occurredAt: saidAt,
      },
      connection,
    );
  }

  /** The change has happened, or will not. */
  async end(templateId: number, connection: Queryable): Promise<void> {
    await this.alerts.end([KIND], String(templateId), 'webhook', connection);
  }

  /**
   * Ends alerts that the provider's list shows to be over: the template has the new category or is gone, or a list from
   * a day after the announced time still has the old category.
   */
  async settle(): Promise<void> {
    await this.database.run(SETTLE, [this.clock.now()]);
  }
}

const SETTLE: Statement = {
  name: 'category_changes_settle',
  text: `
    UPDATE alerts a SET ended_at = $1, ended_by = 'sync'
    FROM templates t JOIN business_accounts b ON b.id = t.business_account_id
    WHERE a.kind = '${KIND}' AND a.ended_at IS NULL AND t.id = a.subject::integer
      AND (t.removed_at IS NOT NULL OR t.category = a.details ->> 'to'
        OR b.templates_synced_at > (a.details ->> 'at')::timestamptz + interval '1 day')`,
};

/** The announced category of the template `t`, and from when; null where none is announced. */
export const CATEGORY_CHANGE = `(
  SELECT json_build_object('category', a.details ->> 'to', 'at', a.details ->> 'at') FROM alerts a
  WHERE a.kind = '${KIND}' AND a.subject = t.id::text AND a.ended_at IS NULL)`;
