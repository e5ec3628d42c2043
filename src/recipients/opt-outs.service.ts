import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { Database, type Queryable } from '../database/database.js';
import type { PagePosition } from '../http/cursor.js';
import type { TemplateCategory } from '../provider/wire.js';
import type { OptOutScope, OptOutSource } from './domain/opt-out.js';
import * as sql from './opt-outs.sql.js';

/** An opt-out as it is kept; `phone` in the one spelling of its recipient. */
export interface OptOutRow {
  phone: string;
  scope: OptOutScope;
  source: OptOutSource;
  reason: string | null;
  created_at: Date;
}

/** An opt-out that was told; `phone` in any spelling, digits only. */
export interface ToldOptOut extends OptOutRow {
  tenant_id: string;
}

/** A recipient's change of mind, told by the provider. */
export interface ToldReturn {
  tenant_id: string;
  /** In any spelling, digits only. */
  phone: string;
  resumed_at: Date;
}

/** What somebody wants an opt-out to be. */
export interface Wish {
  phone: string;
  scope: OptOutScope;
  source: OptOutSource;
  reason: string | null;
}

/** Which opt-outs to list; all that are given must fit. */
export interface OptOutFilter {
  /** Digits only, in any spelling. */
  phone?: string | undefined;
  source?: OptOutSource | undefined;
}

const BEFORE_ALL = { createdAt: 'infinity', id: '' } as const;

/** Keeps who wants no marketing, or no message at all, of a tenant. Acceptance and claims look at the table themselves. */
@Injectable()
export class OptOutsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Sets an opt-out exactly so, whatever it was before. */
  async set(tenantId: string, { phone, scope, source, reason }: Wish): Promise<OptOutRow> {
    const values = [this.clock.now(), tenantId, phone, scope, source, reason];
    const [row] = await this.database.run<OptOutRow>(sql.SET, values);
    return row as OptOutRow;
  }

  /** Lifts an opt-out. @param source who wants it lifted; @throws ApiError OPT_OUT_NOT_FOUND */
  lift(tenantId: string, phone: string, source: OptOutSource): Promise<OptOutRow> {
    const now = this.clock.now();
    return this.database.transaction(async (connection) => {
      await connection.run(sql.BEGIN_LIFT, [now, JSON.stringify([{ tenant_id: tenantId, phone }])]);
      const [row] = await connection.run<OptOutRow>(sql.LIFT, [now, tenantId, phone, source]);
      if (row) return row;
      throw new ApiError('OPT_OUT_NOT_FOUND', 'There is no opt-out of this recipient.', [{ field: 'phone' }]);
    });
  }

  /**
   * Keeps opt-outs that were told; none becomes narrower by it. What recipients wished before theirs was lifted is left out.
   * @returns how many are new or have changed
   */
  async keep(told: ToldOptOut[], connection: Queryable = this.database): Promise<number> {
    if (told.length === 0) return 0;
    return (await connection.run(sql.KEEP, [this.clock.now(), JSON.stringify(told)])).length;
  }

  /** Lifts what the provider has set, and nothing else. @param connection of a transaction */
  async liftProviders(told: ToldReturn[], connection: Queryable): Promise<void> {
    if (told.length === 0) return;
    const values = [this.clock.now(), JSON.stringify(told)];
    await connection.run(sql.BEGIN_LIFT, values);
    await connection.run(sql.LIFT_PROVIDERS, values);
  }

  /**
   * Which of these recipients may not get messages of a category.
   * @param category undefined where it is not known: then only those who want no message at all
   */
  async among(
    tenantId: string,
    phones: string[],
    category: TemplateCategory | undefined,
  ): Promise<Map<string, OptOutScope>> {
    const values = [tenantId, phones, category ?? null];
    const rows = await this.database.run<Pick<OptOutRow, 'phone' | 'scope'>>(sql.AMONG, values);
    return new Map(rows.map(({ phone, scope }) => [phone, scope]));
  }

  /** A page, newest first. */
  async page(
    tenantId: string,
    { phone, source }: OptOutFilter,
    { limit, after }: { limit: number; after: PagePosition | null },
    connection: Queryable = this.database,
  ): Promise<{ rows: OptOutRow[]; next: PagePosition | null }> {
    if (phone !== undefined) {
      const rows = await connection.run<OptOutRow>(sql.FIND, [tenantId, phone, source ?? null]);
      return { rows: after ? [] : rows, next: null };
    }
    const { createdAt, id } = after ?? BEFORE_ALL;
    const values = [tenantId, createdAt, String(id), limit + 1];
    const found = await (source === undefined
      ? connection.run<OptOutRow>(sql.LIST, values)
      : connection.run<OptOutRow>(sql.LIST_OF_SOURCE, [...values, source]));
    const rows = found.slice(0, limit);
    return { rows, next: found.length > limit ? positionOf(rows.at(-1) as OptOutRow) : null };
  }
}

/** A number has 15 digits at most and no leading zero, so that it is a number exactly. */
const positionOf = ({ created_at: createdAt, phone }: OptOutRow): PagePosition => ({
  createdAt,
  id: Number(phone),
});

/** The refusal of a message to a recipient who has opted out. */
export function optedOut(scope: OptOutScope): ApiError {
  const from = scope === 'all' ? 'all messages' : 'marketing';
  return new ApiError('RECIPIENT_OPTED_OUT', `The recipient has opted out of ${from}.`, [
    { field: 'phone', scope },
  ]);
}
