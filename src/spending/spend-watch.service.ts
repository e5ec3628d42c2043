import { Injectable, Logger } from '@nestjs/common';
import { Decimal } from 'decimal.js';
import { AlertsService, OVERTAKEN } from '../alerts/alerts.service.js';
import type { AlertSeverity } from '../alerts/domain/alert-kind.js';
import { Clock } from '../common/clock.js';
import { Database, type Queryable } from '../database/database.js';
import { nameOfLimit, periodEnd, type SpendPeriod, type SpendScope, TOLD_AT } from './domain/spend-limit.js';
import { alertSubject, SpendLimitsService } from './spend-limits.service.js';
import * as sql from './spend-limits.sql.js';

/** Milliseconds that who sets a limit gets to make it hold, before this does. */
const PATIENCE = 60_000;

type Step = (typeof TOLD_AT)[number];

const SEVERITIES: Record<Step, AlertSeverity> = {
  50: 'info',
  80: 'warning',
  100: 'error',
};

/** A limit that people have to be told of. */
interface LimitToTell {
  id: number;
  tenant_id: string;
  scope: SpendScope;
  name: string | null;
  period: SpendPeriod;
  currency: string;
  amount: string;
  spent: string;
  is_reached: boolean;
  /** The highest percentage that was told in this period; 0 for none. */
  told_percent: number;
  period_start: Date;
}

/** Tells people how much of their limits is spent, and finishes limits whose setter has died. */
@Injectable()
export class SpendWatchService {
  private readonly logger = new Logger(SpendWatchService.name);

  constructor(
    private readonly database: Database,
    private readonly limits: SpendLimitsService,
    private readonly alerts: AlertsService,
    private readonly clock: Clock,
  ) {}

  async look(): Promise<void> {
    const found = await this.database.run<LimitToTell>(sql.TO_TELL, [this.clock.now()]);
    for (const limit of found) await this.tell(limit);
  }

  /** Makes limits hold that somebody began to set, and forgets changes of those that were removed. */
  async tidy(): Promise<void> {
    await this.database.run(sql.FORGET_STRAYS);
    const before = new Date(this.clock.now().getTime() - PATIENCE);
    for (const { id } of await this.database.run<{ id: number }>(sql.UNFINISHED, [before])) {
      await this.limits.finish(id);
      this.logger.warn({ message: 'A spending limit holds now; who set it could not finish', limit: id });
    }
  }

  /**
   * Once for each percentage and period: what was told is noted in the same transaction. Of several that are passed at once
   * each is told, in their order; the highest alone stays open.
   */
  private async tell(limit: LimitToTell): Promise<void> {
    const percent = percentOf(limit);
    if (percent === undefined) return;
    const { id, amount, period_start: start } = limit;
    await this.database.transaction(async (connection) => {
      const noted = await connection.run(sql.NOTE_TOLD, [id, percent, start, amount]);
      if (noted.length === 0) return;
      for (const step of TOLD_AT.filter((one) => one > limit.told_percent && one <= percent))
        await this.raise(limit, step, connection);
      for (const lower of TOLD_AT.filter((one) => one < percent))
        await this.alerts.end(['spending'], alertSubject(id, start, lower), OVERTAKEN, connection);
    });
  }

  private async raise(limit: LimitToTell, percent: Step, connection: Queryable): Promise<void> {
    const { id, tenant_id: tenantId, scope, period, currency, amount, spent, period_start: start } = limit;
    const end = periodEnd(period, start);
    const details = { spend_limit_id: id, limit: scope, period, percent, amount, spent, currency };
    await this.alerts.raise(
      {
        kind: 'spending',
        severity: SEVERITIES[percent],
        tenantId,
        businessAccountId: null,
        subject: alertSubject(id, start, percent),
        text: textOf(limit, percent, end),
        details: { ...details, begins_anew_at: end.toISOString() },
        occurredAt: this.clock.now(),
        endsAt: end,
      },
      connection,
    );
  }
}

/** The highest percentage that is reached. A limit that has refused a message is, though some of it may be left. */
function percentOf(limit: LimitToTell): Step | undefined {
  if (limit.is_reached) return 100;
  return TOLD_AT.findLast((percent) => isSpent(limit, percent));
}

function isSpent({ amount, spent }: LimitToTell, percent: Step): boolean {
  const most = new Decimal(amount);
  return most.gt(0) && new Decimal(spent).times(100).gte(most.times(percent));
}

function textOf(limit: LimitToTell, percent: Step, end: Date): string {
  const { name, amount, spent, currency } = limit;
  const which = `${nameOfLimit(limit)}${name ? ` ${name}` : ''}`;
  const [most, sum] = [new Decimal(amount).toString(), new Decimal(spent).toString()];
  const anew = `It begins anew at ${end.toISOString()}.`;
  if (percent === 100)
    return `The ${which} is reached: ${sum} of ${most} ${currency} are spent, and messages are refused. ${anew}`;
  if (!isSpent(limit, percent))
    return `${percent} % of the ${which} would be passed by a message that was refused: ${sum} of ${most} ${currency} are spent. ${anew}`;
  return `${percent} % of the ${which} are spent: ${sum} of ${most} ${currency}. ${anew}`;
}
