import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement } from '../database/database.js';

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
  constructor(private readonly database: Database) {}

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
    await connection.run(SET_LIMIT, [businessAccountId, limit, at]);
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
    const values = [id, quality, status, throughput, messagingLimit, facts && askedAt, leaseEnd, next];
    await this.database.run(NOTE_READ, values);
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
    UPDATE messaging_accounts n SET messaging_limit = $2, messaging_limit_at = $3::timestamptz
    FROM business_accounts told JOIN business_accounts b
      ON b.tenant_id = told.tenant_id AND (b.id = told.id OR b.portfolio_id = told.portfolio_id)
    WHERE told.id = $1 AND n.business_account_id = b.id
      AND (n.messaging_limit_at <= $3::timestamptz) IS NOT FALSE`,
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
    UPDATE messaging_accounts SET
      quality = coalesce($2, quality), status = coalesce($3, status), throughput = coalesce($4, throughput),
      messages_per_second = CASE
        WHEN $4 = 'HIGH' AND throughput IS DISTINCT FROM 'HIGH' AND messages_per_second = ${STANDARD_RATE}
        THEN ${HIGH_RATE} ELSE messages_per_second END,
      messaging_limit = CASE WHEN (messaging_limit_at <= $6::timestamptz) IS NOT FALSE
        THEN coalesce($5, messaging_limit) ELSE messaging_limit END,
      messaging_limit_at = CASE WHEN $5::text IS NULL THEN messaging_limit_at
        ELSE greatest(messaging_limit_at, $6::timestamptz) END,
      read_at = coalesce($6::timestamptz, read_at),
      read_due_at = CASE WHEN read_due_at = $7::timestamptz THEN $8::timestamptz ELSE read_due_at END
    WHERE id = $1`,
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
