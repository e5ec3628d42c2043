import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { Database, type Queryable } from '../database/database.js';
import { gatheredReads } from '../database/gathered-reads.js';
import { SharedCaches } from '../database/shared-cache.js';
import { periodEnd, periodStart, type SpendPeriod, type SpendScope, TOLD_AT } from './domain/spend-limit.js';
import type { ReachedLimit } from './spend-limit-reached.js';
import * as sql from './spend-limits.sql.js';

const CACHE = 'spend_limits';

/** Tenants without a limit that are remembered as such. */
const MOST_WITHOUT = 10_000;

/** Milliseconds: how long a new limit waits for statements that do not know it, and between two looks. */
const PATIENCE = 30_000;
const PAUSE = 20;

/** What a limit is for, and how far it goes. */
export interface SpendLimitTarget {
  tenantId: string;
  scope: SpendScope;
  /** The id of the tenant, of the messaging account, or of the API key. */
  targetId: string;
  period: SpendPeriod;
  currency: string;
}

/** A limit as people see it. Amounts are decimals with six places, as text. */
export interface SpendLimitState {
  spend_limit_id: number;
  scope: SpendScope;
  target_id: string;
  /** The number's id in the API, or the key's id; null for the tenant. */
  api_id: string | null;
  /** Of the number or the key. */
  name: string | null;
  period: SpendPeriod;
  currency: string;
  amount: string;
  /** In the present period. */
  spent: string;
  period_start: Date;
  /** False while what was spent before it is being found out. */
  is_in_force: boolean;
  /** Whether a message was refused in this period. */
  is_reached: boolean;
}

/** A message that would be charged. */
export interface Charge {
  tenant_id: string;
  messaging_account_id: number;
  api_key_id?: string | undefined;
  cost: string;
  currency: string;
}

interface FoundLimit {
  id: number;
  tenant_id: string;
  scope: SpendScope;
  target_id: string;
  period: SpendPeriod;
  currency: string;
  counted_from: number | null;
}

/** Limits of what may be spent in a day or month. They are counted where messages are accepted: counting.sql.ts. */
@Injectable()
export class SpendLimitsService {
  private readonly known;

  constructor(
    private readonly database: Database,
    private readonly caches: SharedCaches,
    private readonly alerts: AlertsService,
    private readonly clock: Clock,
  ) {
    const areSet = gatheredReads(
      (tenantIds: string[]) => database.run<{ tenant_id: string }>(sql.ARE_SET, [tenantIds]),
      (row, tenantId) => row.tenant_id === tenantId,
    );
    this.known = caches.create(CACHE, areSet, { absent: MOST_WITHOUT, renews: true });
  }

  /** Whether a tenant has a limit, as far as this process has heard: to choose a way by, not to decide by. */
  async areSetFor(tenantId: string): Promise<boolean> {
    return (await this.known.get(tenantId)) !== null;
  }

  /** All limits of a tenant, with what is spent. */
  list(tenantId: string, reads: Queryable = this.database): Promise<SpendLimitState[]> {
    return reads.run<SpendLimitState>(sql.LIST, [this.clock.now(), tenantId]);
  }

  /** The limits that have no room for a message by now. Nothing is counted. */
  async reachedBy(charge: Charge, reads: Queryable = this.database): Promise<ReachedLimit[]> {
    const { tenant_id, messaging_account_id, api_key_id = null, currency, cost } = charge;
    const values = [this.clock.now(), tenant_id, messaging_account_id, api_key_id, currency, cost];
    const rows = await reads.run<Omit<ReachedLimit, 'period_start'> & { period_start: Date }>(
      sql.REACHED_BY,
      values,
    );
    return rows.map(({ scope, period, amount, spent, period_start }) => ({
      scope,
      period,
      currency,
      amount,
      spent,
      period_start: period_start.toISOString(),
    }));
  }

  /**
   * Sets a limit, or changes its amount. When this returns, the limit holds: a new one has counted all that the ledger has
   * of its period.
   * @param amount a decimal
   * @throws ApiError SERVICE_UNAVAILABLE when statements that do not know it take too long; the limit will hold later
   */
  async set(target: SpendLimitTarget, amount: string): Promise<number> {
    const { tenantId, scope, targetId, period, currency } = target;
    const values = [tenantId, scope, targetId, period, currency, amount, this.clock.now()];
    const { id, counted_from: countedFrom } = await this.database.transaction(async (connection) => {
      const [row] = await connection.run<{ id: number; counted_from: number | null }>(sql.SET, values);
      const set = row as { id: number; counted_from: number | null };
      // Before anybody sees the new amount, and tells what is to be told of that.
      await this.endAlerts(set.id, period, connection);
      return set;
    });
    await this.caches.changed(CACHE, tenantId);
    if (countedFrom !== null) await this.finish(id);
    return id;
  }

  /** @returns false when the tenant has no such limit */
  async remove(tenantId: string, id: number): Promise<boolean> {
    const removed = await this.database.run(sql.REMOVE, [tenantId, id]);
    if (removed.length === 0) return false;
    await this.caches.changed(CACHE, tenantId);
    for (const period of ['day', 'month'] as const) await this.endAlerts(id, period);
    return true;
  }

  /**
   * Makes a limit hold that was set: finds out what was spent in its period, while messages are being accepted. What was
   * accepted by statements that do not know the limit is in the ledger when these have ended; those that know it keep it
   * locked to their end, so that the ledger has them as well when it can be locked here.
   */
  async finish(id: number): Promise<void> {
    await this.untilAllKnow();
    while (!(await this.count(id)));
  }

  /** @returns false when a new period has begun meanwhile: then that one is to be counted */
  private async count(id: number): Promise<boolean> {
    const [limit] = await this.database.run<FoundLimit>(sql.FIND, [id]);
    if (!limit || limit.counted_from === null) return true;
    const start = periodStart(limit.period, this.clock.now());
    const values = valuesOf(limit, start);
    const [before] = await this.database.run<{ spent: string; changes: number[] }>(sql.SPENT_BEFORE, values);
    const { spent, changes } = before as { spent: string; changes: number[] };
    return this.database.transaction(async (connection) => {
      const [locked] = await connection.run<{ counted_from: number | null }>(sql.LOCK, [id]);
      if (!locked || locked.counted_from === null) return true;
      if (periodStart(limit.period, this.clock.now()) > start) return false;
      await connection.run(sql.FINISH, [...values, spent, changes]);
      return true;
    });
  }

  /** Ends what was told of the present period: of another amount, other things are to be told. */
  private async endAlerts(
    id: number,
    period: SpendPeriod,
    connection: Queryable = this.database,
  ): Promise<void> {
    const start = periodStart(period, this.clock.now());
    for (const percent of TOLD_AT)
      await this.alerts.end(['spending'], alertSubject(id, start, percent), 'changed', connection);
  }

  private async untilAllKnow(): Promise<void> {
    const [found] = await this.database.run<{ transactions: string[] }>(sql.MAY_NOT_KNOW);
    const { transactions } = found as { transactions: string[] };
    const end = performance.now() + PATIENCE;
    while ((await this.database.run(sql.STILL_THERE, [transactions])).length > 0) {
      if (performance.now() > end)
        throw new ApiError(
          'SERVICE_UNAVAILABLE',
          'The limit is set, but transactions that began before it have not ended yet: it will hold when they have.',
        );
      await delay(PAUSE);
    }
  }
}

function valuesOf(
  { id, tenant_id, scope, target_id, period, currency, counted_from }: FoundLimit,
  start: Date,
) {
  const number = scope === 'number' ? Number(target_id) : null;
  const key = scope === 'api_key' ? target_id : null;
  return [id, tenant_id, start, periodEnd(period, start), counted_from, currency, number, key];
}

/** What an alert of a limit is about: the limit, the period that began at `start`, and how much of it is spent. */
export function alertSubject(id: number, start: Date, percent: number): string {
  return `${id}:${start.toISOString().slice(0, 10)}:${percent}`;
}
