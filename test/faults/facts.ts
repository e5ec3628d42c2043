import { Client } from 'pg';
import { MISPLACED } from '../support/outbox.js';
import type { EventFacts, MessageRecord } from './event-verdict.js';
import type { ToldEvent } from './told-event.js';

/** Facts about a run, from PostgreSQL. */
export interface DatabaseFacts {
  /** Status by message log id, without the automatic retries of tomorrow. */
  statuses: Map<number, string>;
  cappedWithoutRetry: number;
  parked: number;
  /** Messages whose entry in the outbox is missing or left behind. */
  misplaced: number;
  sentAgain: number;
  lateAnswers: number;
}

export async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the query fails with it too
  try {
    await client.connect();
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** All charges less refunds, less the cost of messages that are neither failed nor canceled: 0 at any time. */
export async function ledgerDifference(url: string): Promise<number> {
  const [row] = await query<{ difference: string }>(url, LEDGER);
  return Number(row?.difference);
}

/**
 * How many messages are due or under way, and how many deliveries are not applied.
 * @param upTo only messages up to this id
 */
export async function unfinished(
  url: string,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<{ messages: number; deliveries: number }> {
  const [row] = await query<{ messages: string; deliveries: string }>(url, UNFINISHED, [upTo]);
  return { messages: Number(row?.messages), deliveries: Number(row?.deliveries) };
}

export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const rows = await query<{ id: string; status: string }>(url, STATUSES);
  const [counts] = await query<Record<'capped' | 'parked' | 'misplaced' | 'again' | 'late', string>>(
    url,
    COUNTS,
  );
  return {
    statuses: new Map(rows.map(({ id, status }) => [Number(id), status])),
    cappedWithoutRetry: Number(counts?.capped),
    parked: Number(counts?.parked),
    misplaced: Number(counts?.misplaced),
    sentAgain: Number(counts?.again),
    lateAnswers: Number(counts?.late),
  };
}

/** What PostgreSQL has of the stream of events, and what its messages say has happened to them. */
export async function eventFacts(url: string): Promise<EventFacts> {
  const messages = await query<Numeric<MessageRecord>>(url, HISTORIES);
  const told = await query<Numeric<ToldEvent>>(url, TOLD);
  const number = (text: string | null) => (text === null ? null : Number(text));
  return {
    messages: messages.map(({ id, retry, history }) => ({ id: Number(id), retry: number(retry), history })),
    told: told.map(({ id, type, message, retry }) => ({
      id,
      type,
      message: number(message),
      retry: number(retry),
    })),
  };
}

/** As PostgreSQL gives it: large integers as text. */
type Numeric<Row> = {
  [Name in keyof Row]: Row[Name] extends number
    ? string
    : Row[Name] extends number | null
      ? string | null
      : Row[Name];
};

const LEDGER = `
  SELECT (SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount ELSE -amount END), 0) FROM ledger_entries)
    - (SELECT coalesce(sum(cost), 0) FROM message_logs WHERE status NOT IN ('failed', 'canceled')) AS difference`;

const UNFINISHED = `
  SELECT
    (SELECT count(*) FROM message_logs WHERE status IN ('scheduled', 'queued') AND retry_of IS NULL
      AND id <= $1) AS messages,
    (SELECT count(*) FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL) AS deliveries`;

const STATUSES = 'SELECT id, status FROM message_logs WHERE retry_of IS NULL';

const COUNTS = `
  SELECT
    (SELECT count(*) FROM message_logs m WHERE error ->> 'code' = '131049' AND auto_retry_on_frequency_cap
      AND NOT EXISTS (SELECT FROM message_logs r WHERE r.retry_of = m.id)) AS capped,
    (SELECT count(*) FROM webhook_inbox WHERE parked_at IS NOT NULL) AS parked,
    (SELECT count(*) FROM (${MISPLACED}) m) AS misplaced,
    (SELECT count(*) FROM message_events WHERE event = 'sent_again') AS again,
    (SELECT count(*) FROM message_events WHERE event = 'late_answer') AS late`;

const HISTORIES = `
  SELECT m.id, r.id AS retry, ARRAY(
      SELECT e.event FROM message_events e
      -- A receipt of another provider id is of another copy, and moves nothing.
      WHERE e.message_log_id = m.id AND coalesce(e.details ->> 'provider_message_id' = m.provider_message_id, true)
      ORDER BY e.id) AS history
  FROM message_logs m LEFT JOIN message_logs r ON r.retry_of = m.id`;

const TOLD = `
  SELECT 'evt_' || e.id || '_' || coalesce(n.ordinal, 1) AS id, e.type, n.message,
    e.data -> (n.ordinal::integer - 1) ->> 'retry_message_log_id' AS retry
  FROM event_stream e LEFT JOIN LATERAL unnest(e.messages) WITH ORDINALITY n(message, ordinal) ON true
  ORDER BY e.id, n.ordinal`;
