import type { WirePage, WireTemplate } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import type { TemplateRecord } from './sandbox-state.js';

export type Query = Record<string, unknown>;

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 1000;
const FIELDS = new Set([
  'id',
  'name',
  'language',
  'status',
  'category',
  'sub_category',
  'previous_category',
  'correct_category',
  'parameter_format',
  'quality_score',
  'rejected_reason',
  'components',
  'message_send_ttl_seconds',
  'library_template_name',
  'cta_url_link_tracking_opted_out',
]);

/**
 * One page of templates, oldest first: `fields`, `status`, `category`, `language`, `name` (a part of it), `limit`
 * (1–1000, 25) and the cursors `after` and `before`. `next` is a full URL built on `listUrl`.
 */
export function listTemplates(
  records: TemplateRecord[],
  query: Query,
  listUrl: string,
  present: (template: WireTemplate) => WireTemplate,
): WirePage<Partial<WireTemplate>> {
  const limit = limitOf(query.limit);
  const matching = records.filter((record) => matches(record.template, query));
  const { page, isLast } = slice(matching, query, limit);
  const pick = fieldPicker(query.fields);
  const data = page.map(({ template }) => pick(present(template)));
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  return {
    data,
    paging: isLast ? { cursors } : { cursors, next: nextUrl(listUrl, query, limit, cursors.after) },
  };
}

/** Reduces a template to the `fields` asked for (`id` always stands); all of them when none are named. */
export function fieldPicker(fields: unknown): (template: WireTemplate) => Partial<WireTemplate> {
  if (typeof fields !== 'string' || fields.trim() === '') return (template) => template;
  // "quality_score{score}" asks for a part; the whole is answered.
  const names = fields
    .replace(/\{[^}]*\}/g, '')
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !FIELDS.has(name));
  if (unknown !== undefined) {
    throw new GraphError(
      100,
      `Tried accessing nonexisting field (${unknown.slice(0, 100)}) on node type (MessageTemplate)`,
    );
  }
  const wanted = new Set(['id', ...names]);
  return (template) => Object.fromEntries(Object.entries(template).filter(([name]) => wanted.has(name)));
}

function slice(
  records: TemplateRecord[],
  query: Query,
  limit: number,
): { page: TemplateRecord[]; isLast: boolean } {
  if (query.before !== undefined) {
    const end = sequenceOf(query.before);
    const earlier = records.filter(({ sequence }) => sequence < end);
    return { page: earlier.slice(-limit), isLast: earlier.length === records.length };
  }
  const start = query.after === undefined ? 0 : sequenceOf(query.after);
  const later = records.filter(({ sequence }) => sequence > start);
  return { page: later.slice(0, limit), isLast: later.length <= limit };
}

function matches(template: WireTemplate, query: Query): boolean {
  const equal = (['status', 'category', 'language'] as const).every(
    (field) => query[field] === undefined || template[field] === query[field],
  );
  return equal && (query.name === undefined || template.name.includes(String(query.name)));
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (typeof limit === 'string' && /^[1-9]\d{0,5}$/.test(limit))
    return Math.min(Number(limit), LARGEST_LIMIT);
  throw new GraphError(100, 'Param limit must be an integer of at least 1.');
}

function cursorOf({ sequence }: TemplateRecord): string {
  return Buffer.from(`template:${sequence}`).toString('base64');
}

function sequenceOf(cursor: unknown): number {
  const match = /^template:(\d+)$/.exec(Buffer.from(String(cursor), 'base64').toString());
  if (!match) throw new GraphError(100, 'Invalid cursors values');
  return Number(match[1]);
}

function nextUrl(listUrl: string, query: Query, limit: number, after: string): string {
  const url = new URL(listUrl);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && name !== 'before') url.searchParams.set(name, value);
  }
  url.searchParams.set('limit', String(limit));
  url.searchParams.set('after', after);
  return url.href;
}
