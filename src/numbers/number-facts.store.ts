import { Injectable } from '@nestjs/common';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { tellNumbers } from './number-events.sql.js';

/** Messages a second of a number before and after an upgrade by the provider. */
const STANDARD_RATE = 80;
const HIGH_RATE = 1_000;

/** Least milliseconds between two reads of a number because of events. */
const LEAST_PAUSE = 20_000;

/** A number whose turn it is to be read. */
export interface DueRead {
  id: number;
  phone_number_id: string;
  business_account_id: string;
  waba_id: string;
}

/** A number before and after a read of it. */
interface ReadNumber {
  tenant_id: string;
  business_account_id: string;
  api_id: string;
  name: string;
  was_quality: string | null;
  quality: string | null;
}

const LOW = 'RED';

/** What the provider says of a number; null where it says nothing. */
export interface NumberFacts {
  quality: string | null;
  status: string | null;
  throughput: string | null;
  messagingLimit: string | null;
}

/** What is known of numbers and portfolios from the provider. */
@Injectable()
export class NumberFactsStore {
  constructor(
    private readonly database: Database,
    private readonly alerts: AlertsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a number's next read due soon, and raises its rate if the provider has upgraded it.
   * @param phone digits only
   * @param connection of the transaction that this is part of: the read begins after its commit
   */
  async noteEvent(
    businessAccountId: string,
    phone: string,
    { isUpgrade, now }: { isUpgrade: boolean; now: Date },
    connection: Queryable = this.database,
  ): Promise<void> {
    await connection.run(NOTE_EVENT, [
      businessAccountId,
      phone,
      now,
      LEAST_PAUSE,
      isUpgrade ? HIGH_RATE : null,
    ]);
  }

  /** Sets the limit of a business account's whole portfolio, unless a later word is known. */
  async setLimit(
    businessAccountId: string,
    limit: string,
    at: Date,
    connection: Queryable = this.database,
  ): Promise<void> {
    await connection.run(SET_LIMIT, [businessAccountId, limit, at, this.clock.now()]);
  }

  /** Takes numbers that are due to be read; a lost worker's are due again at the end of the lease. */
  takeDue(now: Date, leaseEnd: Date, count: number): Promise<DueRead[]> {
    return this.database.run(TAKE_DUE, [now, leaseEnd, count]);
  }

  /**
   * Notes what was read, and when to read next, unless an event meanwhile asks for an earlier read.
   * @param facts null when the read has failed
   */
  async noteRead(
    id: number,
    {
      facts,
      askedAt,
      leaseEnd,
      next,
    }: { facts: NumberFacts | null; askedAt: Date; leaseEnd: Date; next: Date },
  ): Promise<void> {
    const { quality = null, status = null, throughput = null, messagingLimit = null } = facts ?? {};
    const read = [quality, status, throughput, messagingLimit, facts && askedAt];
    const values = [id, ...read, leaseEnd, next, this.clock.now()];
    if (!facts) return void (await this.database.run(NOTE_READ, values));
    await this.database.transaction(async (connection) => {
      const [number] = await connection.run<ReadNumber>(NOTE_READ, values);
      if (number && number.quality !== number.was_quality) await this.alert(id, number, connection);
    });
  }

  /** A low quality is alerted, until it is another. */
  private async alert(id: number, number: ReadNumber, connection: Queryable): Promise<void> {
    const { tenant_id, business_account_id, api_id, name, quality } = number;
    const kind = 'number_quality';
    if (quality !== LOW) return this.alerts.end([kind], String(id), 'read', connection);
    await this.alerts.raise(
      {
        kind,
        severity: 'warning',
        tenantId: tenant_id,
        businessAccountId: business_account_id,
        subject: String(id),
        text: `The provider rates the number ${name} (${api_id}) ${LOW}: it may lower its limit, or stop it.`,
        details: { messaging_account_id: api_id },
        occurredAt: this.clock.now(),
      },
      connection,
    );
  }

  /** Whether it is time to ask for a business account's portfolio: it is not known, and nobody has asked of late. */
  async takePortfolioTurn(businessAccountId: string, now: Date, askedBefore: Date): Promise<boolean> {
    const rows = await this.database.run(TAKE_PORTFOLIO_TURN, [businessAccountId, now, askedBefore]);
    return rows.length > 0;
  }

  async setPortfolio(
    businessAccountId: string,
    portfolioId: string,
    connection: Queryable = this.database,
  ): Promise<void> {
    await connection.run(SET_PORTFOLIO, [businessAccountId, portfolioId]);
  }
}

const NOTE_EVENT: Statement = {
  name: 'number_note_event',
  text: `
    UPDATE messaging_accounts SET
      read_due_at = least(read_due_at,
        greatest($3::timestamptz, read_at + $4::integer * interval '1 millisecond')),
      messages_per_second = greatest(messages_per_second, $5::integer)
    WHERE business_account_id = $1 AND phone = $2`,
};

const SET_LIMIT: Statement = {
  name: 'number_set_limit',
  text: `
    WITH was AS MATERIALIZED (
      SELECT n.* FROM business_accounts told JOIN business_accounts b
        ON b.tenant_id = told.tenant_id AND (b.id = told.id OR b.portfolio_id = told.portfolio_id)
      JOIN messaging_accounts n ON n.business_account_id = b.id
      WHERE told.id = $1 ORDER BY n.id FOR NO KEY UPDATE OF n
    ), changed AS (
      UPDATE messaging_accounts n SET messaging_limit = $2, messaging_limit_at = $3::timestamptz
      FROM was WHERE n.id = was.id AND (was.messaging_limit_at <= $3::timestamptz) IS NOT FALSE
      RETURNING n.*
    )
    ${tellNumbers('was', 'changed', '$4::timestamptz')}`,
};

const TAKE_DUE: Statement = {
  name: 'number_take_due_reads',
  text: `
    UPDATE messaging_accounts n SET read_due_at = $2::timestamptz FROM business_accounts b
    WHERE b.id = n.business_account_id AND n.id = ANY(ARRAY(
      SELECT id FROM messaging_accounts WHERE read_due_at <= $1::timestamptz
      ORDER BY read_due_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING n.id, n.phone_number_id, n.business_account_id, b.waba_id`,
};

/** A rate that people have set stays: only the standard one is raised, once, and none is lowered. */
const NOTE_READ: Statement = {
  name: 'number_note_read',
  text: `
    WITH was AS MATERIALIZED (
      SELECT * FROM messaging_accounts WHERE id = $1 FOR NO KEY UPDATE
    ), changed AS (
      UPDATE messaging_accounts n SET
        quality = coalesce($2, was.quality), status = coalesce($3, was.status), throughput = coalesce($4, was.throughput),
        messages_per_second = CASE
          WHEN $4 = 'HIGH' AND was.throughput IS DISTINCT FROM 'HIGH' AND was.messages_per_second = ${STANDARD_RATE}
          THEN ${HIGH_RATE} ELSE was.messages_per_second END,
        messaging_limit = CASE WHEN (was.messaging_limit_at <= $6::timestamptz) IS NOT FALSE
          THEN coalesce($5, was.messaging_limit) ELSE was.messaging_limit END,
        messaging_limit_at = CASE WHEN $5::text IS NULL THEN was.messaging_limit_at
          ELSE greatest(was.messaging_limit_at, $6::timestamptz) END,
        read_at = coalesce($6::timestamptz, was.read_at),
        read_due_at = CASE WHEN was.read_due_at = $7::timestamptz THEN $8::timestamptz ELSE was.read_due_at END
      FROM was WHERE n.id = was.id RETURNING n.*
    ), told AS (${tellNumbers('was', 'changed', '$9::timestamptz')}
    )
    SELECT c.tenant_id, c.business_account_id, c.api_id, c.name, was.quality AS was_quality, c.quality
    FROM changed c JOIN was USING (id)`,
};

const TAKE_PORTFOLIO_TURN: Statement = {
  name: 'business_account_take_portfolio_turn',
  text: `
    UPDATE business_accounts SET portfolio_asked_at = $2
    WHERE id = $1 AND portfolio_id IS NULL AND (portfolio_asked_at < $3) IS NOT FALSE RETURNING id`,
};

const SET_PORTFOLIO: Statement = {
  name: 'business_account_set_portfolio',
  text: 'UPDATE business_accounts SET portfolio_id = $2 WHERE id = $1 AND portfolio_id IS DISTINCT FROM $2',
};
