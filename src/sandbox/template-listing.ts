import type { WirePage, WireTemplate } from '../provider/wire.js';
import { TEMPLATE, fieldPicker } from './field-picker.js';
import { GraphError } from './graph-error.js';
import type { TemplateRecord } from './sandbox-state.js';

export type Query = Record<string, unknown>;

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 1000;
/** The filters of lists with their values; a filter may name several. A language may be any text. */
const FILTERS: Record<'status' | 'category' | 'quality_score' | 'language', readonly string[] | null> = {
  status: [
    'APPROVED',
    'ARCHIVED',
    'DELETED',
    'DISABLED',
    'IN_APPEAL',
    'LIMIT_EXCEEDED',
    'PAUSED',
    'PENDING',
    'PENDING_DELETION',
    'REJECTED',
  ],
  category: ['AUTHENTICATION', 'MARKETING', 'UTILITY'],
  quality_score: ['GREEN', 'RED', 'UNKNOWN', 'YELLOW'],
  language: null,
};

/**
 * One page of templates, oldest first. The query may have `fields`; the lists `status`, `category`, `language` and
 * `quality_score`; a part of `name`, `content` or `name_or_content`; `limit` (1–1000, default 25); the cursors `after`
 * and `before`. `next` and `previous` are full URLs built on `listUrl`.
 */
export function listTemplates(
  records: TemplateRecord[],
  query: Query,
  listUrl: string,
  present: (template: WireTemplate) => WireTemplate,
): WirePage<Record<string, unknown>> & { paging?: { previous?: string } } {
  const limit = limitOf(query.limit);
  const isWanted = filterOf(query);
  const matching = records.filter(({ template }) => isWanted(template));
  const page = slice(matching, query, limit);
  const pick = fieldPicker(TEMPLATE, query.fields);
  const data = page.map(({ template }) => pick(present(template)));
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const url = (cursor: 'after' | 'before') => pageUrl(listUrl, query, { limit, [cursor]: cursors[cursor] });
  return {
    data,
    paging: {
      cursors,
      ...(last !== matching.at(-1) && { next: url('after') }),
      ...(first !== matching[0] && { previous: url('before') }),
    },
  };
}

function slice(records: TemplateRecord[], query: Query, limit: number): TemplateRecord[] {
  if (query.before !== undefined) {
    const end = sequenceOf(query.before);
    return records.filter(({ sequence }) => sequence < end).slice(-limit);
  }
  const start = query.after === undefined ? 0 : sequenceOf(query.after);
  return records.filter(({ sequence }) => sequence > start).slice(0, limit);
}

/** Throws 100 for a value that a filter does not know. */
function filterOf(query: Query): (template: WireTemplate) => boolean {
  const lists = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).map(
    (name) => [name, wantedOf(query, name)] as const,
  );
  const { name, content, name_or_content: either } = query;
  return (template) =>
    lists.every(([field, wanted]) => !wanted || wanted.includes(valueOf(template, field))) &&
    has(template.name, name) &&
    has(textOf(template), content) &&
    (has(template.name, either) || has(textOf(template), either));
}

function valueOf(template: WireTemplate, field: keyof typeof FILTERS): string {
  return field === 'quality_score' ? (template.quality_score?.score ?? 'UNKNOWN') : template[field];
}

function has(text: string, part: unknown): boolean {
  return part === undefined || text.toLowerCase().includes(String(part).toLowerCase());
}

function textOf({ components }: WireTemplate): string {
  return components.map(({ text }) => text ?? '').join('\n');
}

/** A list may be written `A,B`, `["A","B"]`, `name[]=A&name[]=B` or `name[0]=A&name[1]=B`. */
function wantedOf(query: Query, name: keyof typeof FILTERS): string[] | undefined {
  const given = Object.entries(query)
    .filter(([key]) => key === name || new RegExp(`^${name}\\[\\d*\\]$`).test(key))
    .flatMap(([, value]) => value)
    .flatMap((value) =>
      String(value)
        .replace(/[[\]"]/g, '')
        .split(','),
    )
    .map((value) => value.trim());
  if (given.length === 0) return undefined;
  const known = FILTERS[name];
  const unknown = given.find((value) => known && !known.includes(value));
  if (unknown === undefined) return given;
  throw new GraphError(
    100,
    `Param ${name} must be one of {${known?.join(', ')}} - got "${unknown.slice(0, 100)}".`,
  );
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

function pageUrl(listUrl: string, query: Query, page: Record<string, string | number>): string {
  const url = new URL(listUrl);
  for (const [name, value] of Object.entries(query)) {
    if (name === 'after' || name === 'before') continue;
    for (const one of [value].flat()) url.searchParams.append(name, String(one));
  }
  for (const [name, value] of Object.entries(page)) url.searchParams.set(name, String(value));
  return url.href;
}
