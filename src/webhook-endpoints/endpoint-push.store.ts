import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Queryable } from '../database/database.js';
import type { EventType } from '../events/domain/event-types.js';
import type { Position } from '../events/position.js';
import { DISABLED_AFTER, waitAfter } from './domain/back-off.js';
import { ANSWER_TIMEOUT } from './endpoint-http.js';
import {
  ADVANCE_ENDPOINT,
  FAIL_ENDPOINT,
  LEASE,
  LEASE_ENDPOINTS,
  LOST_LEASES,
  RELEASE_ENDPOINT,
  WAKE_ENDPOINTS,
} from './endpoint-push.sql.js';
import type { FormerSecret } from './webhook-endpoint.entity.js';

/** Milliseconds after the begin of a lease, or of its renewal, in which a request may begin. */
const SURE = LEASE * 1_000 - ANSWER_TIMEOUT;

/** Milliseconds after which a run ends with what it has read, so that others get its place. */
const TURN = 10_000;

/** Who may post to an endpoint. */
export interface Lease {
  /** The endpoint's. */
  id: string;
  /** The id of the lease itself. */
  lease: string;
}

/** An endpoint that who has this lease posts to alone. */
export interface LeasedEndpoint extends Lease {
  tenant_id: string;
  url: string;
  types: EventType[] | null;
  /** Encrypted. */
  secret: string;
  formerSecrets: FormerSecret[];
  failures: number;
  after_entry: number;
  after_ordinal: number;
  /** By `performance.now()`: until then nobody else can have it, even if a request takes as long as it may. */
  sure_until: number;
  /** By the same clock: from then on others have their turn. */
  turn_until: number;
}

/** An attempt to post events, as the endpoint's log has it. */
export interface Attempt {
  events: number;
  first_cursor: string;
  last_cursor: string;
  http_status: number | null;
  error: string | null;
  /** Milliseconds. */
  duration: number;
}

/** Who has which endpoint, and how far each has come: one statement each, of endpoint-push.sql.ts. */
@Injectable()
export class EndpointPushStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * @param tenants those that have news
   * @param which all endpoints, or only those whose last answer came quickly
   * @returns with whether there is any endpoint to post to, for whomever
   */
  async lease(
    tenants: readonly string[],
    most: number,
    which: 'any' | 'quick',
  ): Promise<{ endpoints: LeasedEndpoint[]; hasAny: boolean }> {
    const values = [this.clock.now(), tenants, most, which === 'quick'];
    const begin = performance.now();
    const times = { sure_until: begin + SURE, turn_until: begin + TURN };
    const rows = await this.database.run<LeasedEndpoint & { has_any: boolean }>(LEASE_ENDPOINTS, values);
    const endpoints = rows.filter(({ id }) => id !== null).map((row) => ({ ...row, ...times }));
    return { endpoints, hasAny: rows[0]?.has_any ?? false };
  }

  /** @returns those that count no longer */
  async lost(leases: readonly Lease[]): Promise<string[]> {
    const values = [leases.map(({ id }) => id), leases.map(({ lease }) => lease)];
    return (await this.database.run<{ lease: string }>(LOST_LEASES, values)).map(({ lease }) => lease);
  }

  /** @param rest milliseconds until it is looked at again, if no news come before */
  async release({ id, lease }: Lease, rest: number): Promise<void> {
    const now = this.clock.now();
    await this.database.run(RELEASE_ENDPOINT, [now, id, lease, new Date(now.getTime() + rest)]);
  }

  /** Has endpoints that have news taken by whoever looks next. @param tenants theirs; all, if not given */
  async wake(tenants?: readonly string[]): Promise<void> {
    await this.database.run(WAKE_ENDPOINTS, [this.clock.now(), tenants ?? null]);
  }

  /**
   * Moves an endpoint on to a place, and renews its lease.
   * @param attempt that was taken; null: none was made
   * @returns false when the lease counts no longer
   */
  async advance(endpoint: LeasedEndpoint, attempt: Attempt | null, to: Position): Promise<boolean> {
    const { id, lease } = endpoint;
    const values = [this.clock.now(), id, lease, attempt && JSON.stringify(attempt), to.entry, to.ordinal];
    const sureUntil = performance.now() + SURE;
    const rows = await this.database.run(ADVANCE_ENDPOINT, values);
    endpoint.sure_until = sureUntil;
    if (attempt) endpoint.failures = 0;
    return rows.length > 0;
  }

  /** @returns whether the endpoint has been disabled, as it has failed for too long */
  async fail(
    { id, lease, failures }: LeasedEndpoint,
    attempt: Attempt,
    connection: Queryable,
  ): Promise<boolean> {
    const now = this.clock.now();
    const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    const values = [
      now,
      id,
      lease,
      JSON.stringify(attempt),
      after(waitAfter(failures + 1)),
      after(-DISABLED_AFTER),
    ];
    const [row] = await connection.run<{ is_disabled: boolean }>(FAIL_ENDPOINT, values);
    return row?.is_disabled ?? false;
  }
}
