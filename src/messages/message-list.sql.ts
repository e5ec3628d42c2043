import type { Statement } from '../database/database.js';
import type { PagePosition } from './domain/cursor.js';
import type { MessageStatus } from './domain/message-status.js';
import { COLUMNS } from './message-row.js';

/** `with_retry`: failed ones that an auto-retry repeats. */
export const RETRY_FILTERS = ['originals', 'retries', 'with_retry'] as const;
export type RetryFilter = (typeof RETRY_FILTERS)[number];

/** Which messages to list; all that are given must fit. */
export interface MessageFilter {
  messagingAccountId?: number | undefined;
  /** One of these. */
  status?: readonly MessageStatus[] | undefined;
  /** Digits only. */
  phone?: string | undefined;
  template?: string | undefined;
  retry?: RetryFilter | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
}

/** What a page is read for. */
export interface PageRequest {
  tenantId: string;
  filter: MessageFilter;
  /** Rows at most. */
  limit: number;
  after: PagePosition | null;
  now: Date;
}

/** A statement with its parameters. */
export interface BoundStatement {
  statement: Statement;
  values: unknown[];
}

/**
 * Rows that a search looks at in one go. What fits may be rare among millions: without a bound, the search for it would
 * read them all. In the cache, 10,000 rows take some 5 ms, and some 50 where each is on another page of the table.
 */
export const WINDOW = 10_000;

/** Adds a parameter and answers its place. */
type Bind = (value: unknown) => string;
type Conditions = { [Name in keyof MessageFilter]-?: (value: never, bind: Bind) => string };

const RETRY: Record<RetryFilter, string> = {
  originals: 'm.retry_count = 0',
  retries: 'm.retry_count = 1',
  with_retry: 'EXISTS (SELECT FROM message_logs r WHERE r.retry_of = m.id)',
};

/** By the name of the filter; `$3` is the service's time. */
const CONDITIONS = {
  messagingAccountId: (id: number, bind) => `m.messaging_account_id = ${bind(id)}`,
  status: (statuses: readonly MessageStatus[], bind) =>
    `CASE WHEN m.status = 'scheduled' AND m.due_at <= $3 THEN 'queued' ELSE m.status END = ANY(${bind(statuses)}::text[])`,
  phone: (phone: string, bind) => `m.phone = ${bind(phone)}`,
  template: (name: string, bind) => `m.template_name = ${bind(name)}`,
  retry: (retry: RetryFilter) => RETRY[retry],
  createdFrom: (from: Date, bind) => `m.created_at >= ${bind(from)}`,
  createdTo: (to: Date, bind) => `m.created_at < ${bind(to)}`,
} satisfies Conditions;

type FilterName = keyof MessageFilter;
const FILTERS = Object.keys(CONDITIONS) as FilterName[];

/** Those that every index by time narrows. */
const RANGE: readonly FilterName[] = ['createdFrom', 'createdTo'];

const NEWEST_FIRST = 'ORDER BY m.created_at DESC, m.id DESC';
const ACCOUNT = 'JOIN messaging_accounts n ON n.id = m.messaging_account_id';

const namesIn = (filter: MessageFilter, names = FILTERS) =>
  names.filter((name) => filter[name] !== undefined);

const condition = (filter: MessageFilter, name: FilterName, bind: Bind) =>
  (CONDITIONS[name] as (value: unknown, bind: Bind) => string)(filter[name], bind);

const allOf = (conditions: string[]) => conditions.map((each) => ` AND ${each}`).join('');

const later = (after: PagePosition | null, bind: Bind) =>
  after ? [`(m.created_at, m.id) < (${bind(after.createdAt)}, ${bind(after.id)})`] : [];

function binder(first: unknown[]): { values: unknown[]; bind: Bind } {
  const values = [...first];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const WAITING: readonly MessageStatus[] = ['scheduled', 'queued'];
const UNDELIVERED: readonly MessageStatus[] = ['failed', 'canceled'];
const IS_UNDELIVERED = '(m.failed_at IS NOT NULL OR m.canceled_at IS NOT NULL)';

/** The condition that an index of message_logs is made for; the best one of those that the filter allows. */
function indexedCondition({ phone, retry, status }: MessageFilter, bind: Bind): string[] {
  const isAmong = (statuses: readonly MessageStatus[]) =>
    status !== undefined && status.every((each) => statuses.includes(each));
  if (phone !== undefined) return [CONDITIONS.phone(phone, bind)];
  if (retry === 'retries') return [RETRY.retries];
  if (isAmong(WAITING)) return ['m.waiting'];
  if (retry === 'with_retry' || isAmong(UNDELIVERED)) return [IS_UNDELIVERED];
  return [];
}

/** The filters that no index answers: for each row, they decide. */
function decidingFilters(filter: MessageFilter): FilterName[] {
  const indexed: FilterName[] = filter.phone !== undefined ? ['phone'] : [];
  if (indexed.length === 0 && filter.retry === 'retries') indexed.push('retry');
  return namesIn(filter).filter((name) => !RANGE.includes(name) && !indexed.includes(name));
}

/** Whether a page that is not full may only mean that the window has ended. */
export function needsWindow(filter: MessageFilter): boolean {
  return decidingFilters(filter).length > 0;
}

/** The newest rows after the position, in the order of one index. */
function windowOf({ filter, after }: PageRequest, bind: Bind): string {
  const conditions = [
    ...later(after, bind),
    ...namesIn(filter, [...RANGE]).map((name) => condition(filter, name, bind)),
    ...indexedCondition(filter, bind),
  ];
  return `FROM message_logs m WHERE m.tenant_id = $1${allOf(conditions)} ${NEWEST_FIRST}`;
}

/**
 * One page of what fits among the next {@link WINDOW} rows. The deciding conditions stand outside of the bounded part,
 * so that its rows are read in their order and no more than needed. Without a name: planned for these values, which
 * may be rare or not.
 */
export function searchStatement(request: PageRequest): BoundStatement {
  const { tenantId, filter, limit, now } = request;
  const { values, bind } = binder([tenantId, limit, now]);
  const window = windowOf(request, bind);
  const deciding = decidingFilters(filter).map((name) => condition(filter, name, bind));
  const text = `
    SELECT ${COLUMNS} FROM (
      SELECT * FROM (SELECT * ${window} LIMIT ${WINDOW}) m
      WHERE $3::timestamptz IS NOT NULL${allOf(deciding)} ${NEWEST_FIRST} LIMIT $2
    ) m ${ACCOUNT} ${NEWEST_FIRST}`;
  return { statement: { name: '', text }, values };
}

/** Where that window ends; no row when it ends with the messages. */
export function windowEndStatement(request: PageRequest): BoundStatement {
  const { values, bind } = binder([request.tenantId]);
  const text = `SELECT m.created_at, m.id ${windowOf(request, bind)} OFFSET ${WINDOW - 1} LIMIT 1`;
  return { statement: { name: '', text }, values };
}
