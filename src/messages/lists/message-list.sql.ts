import type { Statement } from '../../database/database.js';
import type { PagePosition } from '../../http/cursor.js';
import type { MessageStatus } from '../domain/message-status.js';
import { columns, shownStatus } from './message-row.js';

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
  /** The callers' own id. */
  clientReference?: string | undefined;
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
/** Those that every index by time narrows. */
type Range = 'createdFrom' | 'createdTo';
type FilterName = Exclude<keyof MessageFilter, Range>;
type Conditions = { [Name in FilterName]: (value: never, bind: Bind) => string };

const RETRY: Record<RetryFilter, string> = {
  originals: 'm.retry_count = 0',
  retries: 'm.retry_count = 1',
  with_retry: '(SELECT true FROM message_retries r WHERE r.retry_of = m.id LIMIT 1)',
};

/** By the name of the filter; `$3` is the service's time. */
const CONDITIONS = {
  messagingAccountId: (id: number, bind) => `m.messaging_account_id = ${bind(id)}`,
  status: (statuses: readonly MessageStatus[], bind) =>
    `${shownStatus('$3')} = ANY(${bind(statuses)}::text[])`,
  phone: (phone: string, bind) => `m.phone = ${bind(phone)}`,
  clientReference: (reference: string, bind) => `m.client_reference = ${bind(reference)}`,
  template: (name: string, bind) => `m.template_name = ${bind(name)}`,
  retry: (retry: RetryFilter) => RETRY[retry],
} satisfies Conditions;

const FILTERS = Object.keys(CONDITIONS) as FilterName[];

const NEWEST_FIRST = 'ORDER BY m.created_at DESC, m.id DESC';
const ACCOUNT = 'JOIN messaging_accounts n ON n.id = m.messaging_account_id';

const condition = (filter: MessageFilter, name: FilterName, bind: Bind) =>
  (CONDITIONS[name] as (value: unknown, bind: Bind) => string)(filter[name], bind);

const allOf = (conditions: string[]) => conditions.map((each) => ` AND ${each}`).join('');

/** The table `m` whose index gives the rows of a window their order. */
interface Source {
  table: string;
  id: string;
  /** The messages of a window. */
  messages: (window: string) => string;
}

const LOG: Source = {
  table: 'message_logs m',
  id: 'm.id',
  messages: (window) => `SELECT * ${window}`,
};

/** The window comes before the join, so that no more than it is joined: one by one, by the key. */
const OUTBOX: Source = {
  table: 'outbox m',
  id: 'm.message_log_id',
  messages: (window) =>
    `SELECT l.* FROM (SELECT m.message_log_id AS id ${window}) w CROSS JOIN LATERAL (
      SELECT * FROM message_logs WHERE id = w.id LIMIT 1) l`,
};

const later = (after: PagePosition | null, { id }: Source, bind: Bind) =>
  after ? [`(m.created_at, ${id}) < (${bind(after.createdAt)}, ${bind(after.id)})`] : [];

function binder(first: unknown[]): { values: unknown[]; bind: Bind } {
  const values = [...first];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const IN_OUTBOX: readonly MessageStatus[] = ['scheduled', 'queued', 'sending'];
const UNDELIVERED: readonly MessageStatus[] = ['failed', 'canceled'];
const IS_UNDELIVERED = '(m.failed_at IS NOT NULL OR m.canceled_at IS NOT NULL)';

const isAmong = ({ status }: MessageFilter, statuses: readonly MessageStatus[]) =>
  status !== undefined && status.every((each) => statuses.includes(each));

/** The best index that the filter allows, and the condition that it is made for. */
function indexOf(filter: MessageFilter, bind: Bind): { source: Source; conditions: string[] } {
  const { phone, retry, clientReference } = filter;
  if (clientReference !== undefined)
    return { source: LOG, conditions: [CONDITIONS.clientReference(clientReference, bind)] };
  if (phone !== undefined) return { source: LOG, conditions: [CONDITIONS.phone(phone, bind)] };
  if (retry === 'retries') return { source: LOG, conditions: [RETRY.retries] };
  if (isAmong(filter, IN_OUTBOX)) return { source: OUTBOX, conditions: [] };
  const isEnded = retry === 'with_retry' || isAmong(filter, UNDELIVERED);
  return { source: LOG, conditions: isEnded ? [IS_UNDELIVERED] : [] };
}

/** The one that the index of {@link indexOf} answers, if any. */
function indexedFilter({ clientReference, phone, retry }: MessageFilter): FilterName | undefined {
  if (clientReference !== undefined) return 'clientReference';
  if (phone !== undefined) return 'phone';
  return retry === 'retries' ? 'retry' : undefined;
}

/** The filters that no index answers: for each row, they decide. */
function decidingFilters(filter: MessageFilter): FilterName[] {
  const indexed = indexedFilter(filter);
  return FILTERS.filter((name) => filter[name] !== undefined && name !== indexed);
}

/** Whether a page that is not full may only mean that the window has ended. */
export function needsWindow(filter: MessageFilter): boolean {
  return decidingFilters(filter).length > 0;
}

/** The newest rows after the position, in the order of one index. */
function windowOf({ filter, after }: PageRequest, bind: Bind): { source: Source; window: string } {
  const { source, conditions } = indexOf(filter, bind);
  const { createdFrom, createdTo } = filter;
  const all = [
    ...later(after, source, bind),
    ...(createdFrom ? [`m.created_at >= ${bind(createdFrom)}`] : []),
    ...(createdTo ? [`m.created_at < ${bind(createdTo)}`] : []),
    ...conditions,
  ];
  const newestFirst = `ORDER BY m.created_at DESC, ${source.id} DESC`;
  return { source, window: `FROM ${source.table} WHERE m.tenant_id = $1${allOf(all)} ${newestFirst}` };
}

/**
 * One page of what fits among the next {@link WINDOW} rows. The deciding conditions stand outside of the bounded part,
 * so that its rows are read in their order and no more than needed. Without a name: planned for these values, which
 * may be rare or not.
 */
export function searchStatement(request: PageRequest): BoundStatement {
  const { tenantId, filter, limit, now } = request;
  const { values, bind } = binder([tenantId, limit, now]);
  const { source, window } = windowOf(request, bind);
  const deciding = decidingFilters(filter).map((name) => condition(filter, name, bind));
  const text = `
    SELECT ${columns('$3')} FROM (
      SELECT * FROM (${source.messages(`${window} LIMIT ${WINDOW}`)}) m
      WHERE $3::timestamptz IS NOT NULL${allOf(deciding)} ${NEWEST_FIRST} LIMIT $2
    ) m ${ACCOUNT} ${NEWEST_FIRST}`;
  return { statement: { name: '', text }, values };
}

/** Where that window ends; no row when it ends with the messages. */
export function windowEndStatement(request: PageRequest): BoundStatement {
  const { values, bind } = binder([request.tenantId]);
  const { source, window } = windowOf(request, bind);
  const text = `SELECT m.created_at, ${source.id} AS id ${window} OFFSET ${WINDOW - 1} LIMIT 1`;
  return { statement: { name: '', text }, values };
}
