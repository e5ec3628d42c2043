import fc from 'fast-check';
import { DEMO } from '../../src/embedded/demo.js';
import { DEMO_TEMPLATES } from '../../src/embedded/demo-templates.js';
import { emptyDraft } from '../../src/templates/domain/template-draft.js';
import { MAPPING } from '../support/campaigns.js';
import { CLASS_SCHEMAS, type DashboardRoute } from './dashboard-routes.js';
import {
  contentType,
  type DraftRequest,
  draftRequest,
  mostly,
  NO_HEADERS,
  usually,
} from './draft-request.js';
import { type Hints, type Schema, SchemaArbitraries } from './schema-arbitrary.js';
import { KNOWN_KINDS, known, type KnownKind } from './world.js';

/** The kinds of callers. An operator is an owner who may load rate cards; a forged request has no CSRF token. */
export const ASKERS = ['owner', 'operator', 'editor', 'viewer', 'forged', 'nobody'] as const;

export type Asker = (typeof ASKERS)[number];

export interface DashboardCase {
  asker: Asker;
  draft: DraftRequest;
}

const id = (kind: KnownKind): fc.Arbitrary<string> => fc.nat(19).map((nth) => known(kind, nth));
const anyId = fc.constantFrom(...KNOWN_KINDS).chain(id);

/** Ids by the names that paths, queries and bodies give them. */
const IDS: Hints = {
  messaging_account_id: id('number'),
  business_account_id: id('business_account'),
  message_log_id: id('message'),
  campaign_id: id('campaign'),
  user_id: id('user'),
  api_key_id: id('api_key'),
  template_id: id('template'),
  copy: id('template'),
  key: id('draft'),
  draft_key: id('draft'),
};

const templateDraft = {
  ...emptyDraft(),
  name: 'parcel_update',
  body: 'Hello {{1}}, it is here.',
  body_samples: { 1: 'Ana' },
};
const buttons = fc.constantFrom(
  [],
  [{ type: 'quick_reply', text: 'Yes' }],
  [{ type: 'url', text: 'Track', url: 'https://example.com/{{1}}', sample: 'https://example.com/1' }],
  [{ type: 'copy_code', sample: 'SPRING20' }],
);

const HINTS: Hints = {
  ...IDS,
  phone: fc.constantFrom('+12025550100', '14155550100', '971501230102'),
  name: fc.constantFrom(...DEMO_TEMPLATES.map(({ name }) => name)),
  template: fc.constantFrom('order_update', { name: 'order_update', language: 'en_US' }),
  language: fc.constantFrom('en_US', 'ar', 'de'),
  language_code: fc.constantFrom('en_US', 'ar'),
  revision: fc.nat(4),
  mapping: fc.constantFrom<unknown>(
    MAPPING,
    {},
    { phone: { column: 9 } },
    { phone: { text: '+12025550100' } },
  ),
  draft: fc.tuple(buttons, fc.constantFrom('none', 'text', 'image')).map(([list, kind]) => ({
    ...templateDraft,
    buttons: list,
    header: { ...templateDraft.header, kind, text: 'Hi' },
  })),
  waba_id: fc.constantFrom<string>(DEMO.wabaId, '200200200200200'),
  phone_number_id: fc.constantFrom<string>(...DEMO.numbers.map(({ phoneNumberId }) => phoneNumberId)),
  access_token: fc.constantFrom('a-token', ''),
  file_name: fc.constantFrom('list.csv', 'a.png', 'a.pdf', 'ü.csv'),
  csv: fc.constantFrom('Market,Currency\nIndia,USD', ''),
  cursor: fc.constantFrom<unknown>(0, 1, 50),
  timezone: fc.constantFrom('Europe/Berlin', 'UTC'),
};

const arbitraries = new SchemaArbitraries(CLASS_SCHEMAS.definitions, HINTS);

const FILES = [
  '',
  'phone,name,order\n+4915110000100,Amal,A-1\n',
  'phone;name;order\r\n"+49 151 1001 0100";"Amal ""A""";A-2\r\n\r\nx',
  '\ufeffphone\n\0\n',
  '"phone\n',
  `phone\n${'1,'.repeat(5_000)}`,
  'Market,Currency,Marketing,Utility,Authentication,Authentication-International\nIndia,USD,0.01,0.001,0.001,n/a\n',
  '\x89PNG\r\n\x1a\n',
  '%PDF-1.4',
];

const FILE_TYPES = ['text/csv', 'image/png', 'application/pdf', 'video/mp4', 'text/html', ''];

/** The fields of a query, each as text. */
function queryOf(schema: Schema | null): fc.Arbitrary<[string, string][]> {
  const lists = Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const isList = field.type === 'array';
    const one = (HINTS[name] ?? arbitraries.of(isList ? (field.items ?? {}) : field)).map(asText);
    const pair = mostly(6, one).map((value): [string, string] => [name, value]);
    const isRequired = schema?.required?.includes(name) ?? false;
    const some = fc.array(pair, { minLength: 1, maxLength: isList ? 3 : 1 });
    return isRequired ? usually(12, some, none) : usually(2, none, some);
  });
  return fc.tuple(...lists).map((found) => found.flat());
}

const none = fc.constant<[string, string][]>([]);
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function paramsOf(path: string): fc.Arbitrary<Record<string, string>> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const entries = names.map((name) => [name, mostly(6, (IDS[name] ?? anyId) as fc.Arbitrary<string>)]);
  return fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<string>>);
}

const asker: fc.Arbitrary<Asker> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Asker>('owner', 'operator') },
  { weight: 2, arbitrary: fc.constantFrom<Asker>('editor', 'viewer') },
  { weight: 1, arbitrary: fc.constantFrom<Asker>('forged', 'nobody') },
);

const idempotency = usually(
  1,
  NO_HEADERS,
  fc.nat(30).map((nth) => ({ 'Idempotency-Key': `form-${nth}` })),
);
const accept = usually(9, NO_HEADERS, fc.constant({ Accept: 'text/event-stream' }));

function caseOf({ method, path, body, query }: DashboardRoute): fc.Arbitrary<DashboardCase> {
  const takesFile = path.startsWith('/dashboard/api/uploads/');
  const json = body ? arbitraries.of(body) : fc.constantFrom<unknown>(undefined, undefined, {}, { a: 1 });
  const draft = draftRequest({
    method,
    path,
    params: paramsOf(path),
    query: queryOf(query),
    headers: [idempotency, accept],
    type: takesFile ? fc.constantFrom(...FILE_TYPES) : contentType,
    json: takesFile ? fc.constant(undefined) : json,
    file: takesFile ? fc.constantFrom(...FILES) : fc.constant(undefined),
  });
  return fc.record({ asker, draft });
}

/** Requests to all these routes, equally often, from all kinds of callers. */
export const dashboardCase = (routes: DashboardRoute[]): fc.Arbitrary<DashboardCase> =>
  fc.oneof(...routes.map((route) => caseOf(route)));
