import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type FuzzAnswer, type FuzzRequest, isReadable } from './request.js';
import type { Schema } from './schema-arbitrary.js';

interface MediaType {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Holder {
  content?: Record<string, MediaType>;
}

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  method: string;
  /** Such as `/api/v1/messages/{message_log_id}`. */
  path: string;
  operationId: string;
  parameters: Parameter[];
  requestBody?: Holder;
  responses: Record<string, Holder>;
}

interface Document {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

export const DEFINITIONS = document.components.schemas;

export const OPERATIONS: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** The codes of faults that are found before the operation of a request is known. */
const ANY_BODY = new Set([
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
]);

/** The differences between an answer and its operation in openapi.json; empty when it is as documented. */
export function documentationFaults(
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
): string[] {
  const { status, json } = answer;
  // The connection was closed, or the request never reached its operation: envelopeFaults judges that.
  if (status === 0 || !isReadable(request)) return [];
  const name = `${operation.method} ${operation.path}`;
  const response = operation.responses[String(status)];
  const code = (json as { error?: { code?: string } } | undefined)?.error?.code ?? '';
  // An operation without a body documents no faults of a body, nor of the encoding of a missing one.
  const hasBody = request.body !== undefined || request.headers['Content-Encoding'] !== undefined;
  if (!operation.requestBody && hasBody && (ANY_BODY.has(code) || request.method === 'HEAD')) return [];
  // By RFC 9110 a 304 is the right answer to `If-None-Match: *`.
  if (status === 304 && request.headers['If-None-Match'] === '*') return [];
  if (!response) return [`${name} documents no ${status} (${code})`];
  const media = response.content?.['application/json'];
  if (!media?.schema || request.method === 'HEAD') return [];
  const faults = schemaFaults(`${name} ${status}`, media.schema, json);
  if (status >= 400 && !Object.hasOwn(media.examples ?? {}, code))
    faults.push(`${name} documents no ${code} with its ${status}`);
  return faults;
}

/** Why an accepted body should have been refused, by its documented schema. */
export function requestFaults(operation: Operation, body: unknown): string[] {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  return schema ? schemaFaults(`the accepted body of ${operation.path}`, schema, body) : [];
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
const compiled = new Map<string, ValidateFunction>();

/** The faults of a value by its schema; a field that is not documented is a fault too. */
function schemaFaults(name: string, schema: Schema, value: unknown): string[] {
  const key = JSON.stringify(schema);
  let validate = compiled.get(key);
  if (!validate) {
    const closed = closedObjects({ ...schema, components: { schemas: DEFINITIONS } });
    compiled.set(key, (validate = ajv.compile(closed as object)));
  }
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 3)
    .map(
      ({ instancePath, message, params }) => `${name}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
}

/** The schema with `additionalProperties: false` in each object that names its properties and says no other value. */
function closedObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closedObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closedObjects(value)]),
  );
  const isObject = typeof copy['properties'] === 'object' && copy['type'] === 'object';
  return isObject && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
