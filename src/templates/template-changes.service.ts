import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { alertsOf } from './domain/template-alerts.js';
import { type ChangedTemplate, eventsOf } from './domain/template-changes.js';
import { TELL_TEMPLATES } from './template-changes.sql.js';

const DAY = 24 * 60 * 60 * 1000;

/** Tells of changes of templates, in the stream of events and as alerts. */
@Injectable()
export class TemplateChangesService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Tells of changes that were made in this transaction, with their templates locked.
   * @param occurredAt by the provider's clock, where it is known
   */
  async tell(
    changes: ChangedTemplate[],
    connection: Queryable,
    occurredAt: Date | null = null,
  ): Promise<void> {
    const events = changes.flatMap((change) =>
      eventsOf(change).map(({ type, data }) => ({
        tenant_id: change.tenant_id,
        business_account_id: change.business_account_id,
        type,
        data: { template: { name: change.name, language: change.language }, ...data },
      })),
    );
    if (events.length > 0)
      await connection.run(TELL_TEMPLATES, [this.clock.now(), JSON.stringify(events), occurredAt]);
    // In one order, so that two transactions do not block each other.
    for (const change of changes.toSorted((a, b) => a.id - b.id)) await this.alert(change, connection);
  }

  private async alert(change: ChangedTemplate, connection: Queryable): Promise<void> {
    const { raise, end } = alertsOf(change);
    const now = this.clock.now();
    if (end.length > 0) await this.alerts.end(end, String(change.id), 'template', connection);
    for (const { days, ...alert } of raise)
      await this.alerts.raise(
        {
          ...alert,
          tenantId: change.tenant_id,
          businessAccountId: change.business_account_id,
          details: { template_id: change.id, name: change.name, language: change.language },
          occurredAt: now,
          endsAt: days === null ? null : new Date(now.getTime() + days * DAY),
        },
        connection,
      );
  }
}
