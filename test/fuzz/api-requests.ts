import fc from 'fast-check';
import { DEMO } from '../../src/embedded/demo.js';
import { DEMO_TEMPLATES } from '../../src/embedded/demo-templates.js';
import { withFreshSchedule } from '../../src/openapi/schedule.js';
import { SECRETS } from '../support/service.js';
import { DEFINITIONS, type Operation, OPERATIONS } from './documented-api.js';
import {
  contentType,
  type DraftRequest,
  draftRequest,
  mostly,
  NO_HEADERS,
  usually,
} from './draft-request.js';
import { type Hints, SchemaArbitraries } from './schema-arbitrary.js';
import { known } from './world.js';

const message = fc.nat(19).map((nth) => known('message', nth));
const templateName = fc.constantFrom(...DEMO_TEMPLATES.map(({ name }) => name));
const phone = fc.constantFrom(
  '+12025550100',
  '+1 (202) 555-0101',
  '971501230102',
  '+49.30.1234567',
  '12025550104',
);
const MONTH = 30 * 24 * 60 * 60 * 1_000;
const NEXT_MONTH = new Date(Date.now() + MONTH).toISOString().slice(0, 10);

const HINTS: Hints = {
  messaging_account_id: fc.constantFrom(...DEMO.numbers.map(({ apiId }) => apiId)),
  phone,
  name: templateName,
  template: templateName,
  language_code: fc.constantFrom('en_US', 'en_US', 'ar', 'de'),
  message_log_id: message,
  timezone: fc.constantFrom('Asia/Dubai', 'Europe/Berlin', 'UTC'),
  scheduled_at: fc.constantFrom(`${NEXT_MONTH}T10:00:00`, `${NEXT_MONTH}T10:00:00+02:00`),
  client_reference: fc.constantFrom('order-1', 'Ä/2'),
  valid_until: fc.constantFrom(`${NEXT_MONTH}T12:00:00Z`, `${NEXT_MONTH}T12:00:00+02:00`),
  max_cost: fc.constantFrom(1, '0.5', 0),
  link: fc.webUrl(),
  index: fc.constantFrom(0, '0', 1),
  card_index: fc.constantFrom(0, 1),
};

const arbitraries = new SchemaArbitraries(DEFINITIONS, HINTS);

/** The documented bodies, and others of the same shape. */
function bodyOf({ requestBody }: Operation): fc.Arbitrary<unknown> {
  const media = requestBody?.content?.['application/json'];
  if (!media?.schema) return fc.constant(undefined);
  const fresh = withFreshSchedule(
    (media.examples ?? {}) as never,
    new Date(),
  ) as unknown as typeof media.examples;
  const examples = Object.values(fresh ?? {}).map(({ value }) => value);
  const whole = arbitraries.of(media.schema);
  return examples.length === 0
    ? whole
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...examples) }, { weight: 2, arbitrary: whole });
}

const headers = (...values: Record<string, string>[]) => fc.constantFrom(...values);

const credentials = usually(
  14,
  headers({ Authorization: `Bearer ${SECRETS.demoApiKey}` }),
  headers(
    {},
    { Authorization: 'Bearer tms_nobody' },
    { Authorization: `Basic ${SECRETS.demoApiKey}` },
    { Authorization: `bearer  ${SECRETS.demoApiKey}` },
    { Authorization: `Bearer ${'x'.repeat(5_000)}` },
  ),
);

const tenant = usually(
  12,
  NO_HEADERS,
  fc
    .constantFrom('0b9f2c1e-7a34-4d55-9c1b-3f8e2a6d7c10', 'nobody', "'", '')
    .map((id) => ({ 'X-TENANT-ID': id })),
);

/** A few keys only, so that they are repeated. */
const idempotency = fc.oneof(
  NO_HEADERS,
  usually(
    3,
    fc.nat(400).map((nth) => `order-${nth}`),
    fc.constantFrom('two words', 'x'.repeat(255), 'x'.repeat(256), '', '\u00e9'),
  ).map((key) => ({ 'Idempotency-Key': key })),
);

/** Mostly the required parameters and some others, each with a fitting value or an odd one. */
function parametersOf({ parameters }: Operation, place: 'query' | 'path'): fc.Arbitrary<[string, string][]> {
  const lists = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, schema }): fc.Arbitrary<[string, string][]> => {
      const fitting = (HINTS[name] ?? arbitraries.of(schema)).map(String);
      const pair = mostly(12, fitting).map((value): [string, string][] => [[name, value]]);
      const none = fc.constant<[string, string][]>([]);
      return required ? usually(15, pair, none) : usually(2, none, pair);
    });
  return fc.tuple(...lists).map((found) => found.flat());
}

function requestTo(operation: Operation): fc.Arbitrary<DraftRequest> {
  const isSend = operation.requestBody !== undefined;
  return draftRequest({
    method: operation.method,
    path: operation.path,
    params: parametersOf(operation, 'path').map((pairs) => Object.fromEntries(pairs)),
    query: parametersOf(operation, 'query'),
    headers: [credentials, tenant, isSend ? idempotency : NO_HEADERS],
    type: contentType,
    json: isSend ? bodyOf(operation) : strayBody,
  });
}

/** A body for an operation that has none. */
const strayBody = usually<unknown>(15, fc.constant(undefined), fc.constantFrom<unknown>({}, { a: 1 }, []));

const sends = OPERATIONS.filter(({ requestBody }) => requestBody !== undefined);
const others = OPERATIONS.filter(({ requestBody }) => requestBody === undefined);

/** Requests to the documented API, valid and broken. */
export const apiRequest: fc.Arbitrary<DraftRequest> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...sends.map(requestTo)) },
  { weight: 2, arbitrary: fc.oneof(...others.map(requestTo)) },
);
