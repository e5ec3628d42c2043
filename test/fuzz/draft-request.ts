import fc from 'fast-check';
import { type Edit, edited, editedText, edits, type TextEdit, textEdits } from './broken.js';
import { toJsonText } from './json-text.js';
import { oddText } from './odd-values.js';
import type { FuzzRequest } from './request.js';
import type { World } from './world.js';

/** A request as it is made up, before ids are filled in and before it is broken. */
export interface DraftRequest {
  method: string;
  /** The path with its parameters, such as `/api/v1/messages/{message_log_id}` or `/dashboard/api/users/:user_id`. */
  path: string;
  params: Record<string, string>;
  query: [string, string][];
  /** Text that is added to the query without escaping. */
  rawQuery: string;
  form: PathForm;
  headers: Record<string, string>;
  /** The body; undefined for none. */
  json: unknown;
  /** A body that is not JSON, in place of `json`. */
  file?: string | undefined;
  edits: Edit[];
  textEdits: TextEdit[];
}

/** The same path in another spelling. */
export type PathForm = 'plain' | 'upper' | 'slash' | 'double';

/** The first value, `weight` times as often as the other. */
export const usually = <Value>(
  weight: number,
  usual: fc.Arbitrary<Value>,
  other: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> => fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

/** Mostly the usual text, else something odd. */
export const mostly = (weight: number, usual: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  usually(weight, usual, oddText);

export const NO_HEADERS: fc.Arbitrary<Record<string, string>> = fc.constant({});

const pathForm = usually<PathForm>(12, fc.constant('plain'), fc.constantFrom('upper', 'slash', 'double'));

const RAW_QUERIES = [
  '%',
  '%zz=1',
  'a=%ED%A0%80',
  'a=%00',
  '__proto__[x]=1',
  '__proto__=1',
  'constructor=1',
  'limit[]=1',
  'limit[a]=1',
  'limit=1&limit=2',
  '=',
  '?',
  '&&&&',
  `a=${'b'.repeat(9_000)}`,
  Array.from({ length: 1_200 }, (_, i) => `a${i}=1`).join('&'),
];

const rawQuery = usually(12, fc.constant(''), fc.constantFrom(...RAW_QUERIES));

const JSON_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset="UTF-8"',
  'Application/JSON',
];
const OTHER_TYPES = [
  'text/plain',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
  '*/*',
  '',
];

/** The Content-Type of a body. */
export const contentType = usually(
  5,
  fc.constant('application/json'),
  fc.constantFrom(...JSON_TYPES, ...OTHER_TYPES),
);

/** Headers that any request may carry; mostly none. */
const someHeaders: fc.Arbitrary<Record<string, string>> = usually(
  6,
  NO_HEADERS,
  fc.record(
    {
      'X-Request-Id': fc.constantFrom('mine', 'x'.repeat(128), 'x'.repeat(129), 'two words', ''),
      'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br', 'snappy'),
      'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', ','),
      'X-Forwarded-For': fc.constantFrom('1.2.3.4', 'nobody', '::1, 1.2.3.4'),
      Range: fc.constantFrom('bytes=0-1', 'bytes=x'),
    },
    { requiredKeys: [] },
  ),
);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

interface Parts {
  method: string;
  path: string;
  params: fc.Arbitrary<Record<string, string>>;
  query: fc.Arbitrary<[string, string][]>;
  headers: fc.Arbitrary<Record<string, string>>[];
  /** The Content-Type of the body. */
  type: fc.Arbitrary<string>;
  json: fc.Arbitrary<unknown>;
  file?: fc.Arbitrary<string | undefined>;
}

/** Requests made of these parts, with the odd things that may happen to any request. */
export function draftRequest(parts: Parts): fc.Arbitrary<DraftRequest> {
  const { method, path, params, query, headers, type, json, file = fc.constant(undefined) } = parts;
  return fc
    .record({
      method: usually(20, fc.constant(method), fc.constantFrom(...METHODS)),
      path: fc.constant(path),
      params,
      query,
      rawQuery,
      form: pathForm,
      headers: fc.tuple(...headers, someHeaders),
      type,
      json,
      file,
      edits: edits(3),
      textEdits,
    })
    .map(({ type: said, ...draft }) => {
      const hasBody = draft.json !== undefined || draft.file !== undefined;
      const all: Record<string, string> = Object.assign({}, ...draft.headers);
      return { ...draft, headers: hasBody ? { ...all, 'Content-Type': said } : all };
    });
}

/** The request as it is sent now. */
export async function rendered(draft: DraftRequest, world: World): Promise<FuzzRequest> {
  const { method, headers, json, file } = draft;
  const path = await world.filled(pathOf(draft));
  if (json === undefined && file === undefined) return { method, path: encoded(path), headers };
  const text = file ?? (await world.filled(toJsonText(edited(json, draft.edits))));
  const body = editedText(text, draft.textEdits);
  return { method, path: encoded(path), headers, body };
}

function pathOf({ path, params, query, rawQuery: raw, form }: DraftRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_whole, one?: string, other?: string) =>
    segment(params[one ?? other ?? ''] ?? '1'),
  );
  const search = [
    ...query.map(([name, value]) => `${segment(name)}=${segment(value)}`),
    ...(raw ? [raw] : []),
  ];
  return `${spelled(filled, form)}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** The text escaped, except for placeholders of ids. Half a surrogate pair becomes bytes that UTF-8 does not allow. */
function segment(text: string): string {
  if (/^‹\w+:\d+›$/.test(text)) return text;
  return [...text].map((char) => (char.isWellFormed() ? encodeURIComponent(char) : '%ED%A0%80')).join('');
}

/** Escapes the ids that were filled in. */
function encoded(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char));
}

function spelled(path: string, form: PathForm): string {
  if (form === 'upper') return path.toUpperCase();
  if (form === 'slash') return `${path}/`;
  return form === 'double' ? path.replace('/', '//') : path;
}
