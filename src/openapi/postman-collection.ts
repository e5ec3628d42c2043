import type { OpenAPIObject } from '@nestjs/swagger';

/*
 * By hand, as openapi-to-postmanv2 (6.3.3) makes up bodies instead of taking the document's examples, fills in optional
 * headers with "<uuid>", which is refused, gives everything other ids each time, so that nothing shows whether a
 * collection is up to date, and brings 85 packages.
 */

/** The parts of an operation that a request is made of. `tidy` has put the references of parameters in place. */
interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { examples: Record<string, Example> } } };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: { example?: unknown; examples?: unknown[]; default?: unknown };
}

interface Example {
  summary: string;
  value: unknown;
}

interface Field {
  key: string;
  value: string;
  description: string;
  disabled?: true;
}

interface PostmanRequest {
  method: string;
  description?: string;
  url: { raw: string; host: string[]; path: string[]; query: Field[]; variable: Field[] };
  header: Field[];
  body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
}

export interface PostmanItem {
  name: string;
  request: PostmanRequest;
}

export interface PostmanFolder {
  name: string;
  description?: string;
  item: (PostmanItem | PostmanFolder)[];
}

/** Runs before each request, as a date in the file would lie in the past one day. */
const SET_TOMORROW =
  "pm.collectionVariables.set('tomorrow', new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10));";

/** The API's document as a collection of Postman, version 2.1: a request for each operation and each example of its body. */
export function postmanCollection({ info, paths }: OpenAPIObject) {
  const folders = new Map<string, PostmanFolder>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const [tag = ''] = operation.tags;
      const folder = folders.get(tag) ?? { name: tag, item: [] };
      folders.set(tag, folder);
      folder.item.push(itemOf(method.toUpperCase(), path, operation));
    }
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: [SET_TOMORROW] } }],
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:3000' },
      { key: 'api_key', value: '' },
    ],
    item: [...folders.values()],
  };
}

/** A request; where its body has several examples, a folder with a request for each. */
function itemOf(method: string, path: string, operation: Operation): PostmanItem | PostmanFolder {
  const name = `${method} ${path}`;
  const description = `${operation.summary}\n\n${operation.description}`;
  const examples = Object.values(operation.requestBody?.content['application/json'].examples ?? {});
  const request = (example?: Example) => requestOf(method, path, operation, example);
  if (examples.length < 2) return { name, request: { ...request(examples[0]), description } };
  return {
    name,
    description,
    item: examples.map((example) => ({ name: example.summary, request: request(example) })),
  };
}

function requestOf(method: string, path: string, operation: Operation, example?: Example): PostmanRequest {
  const inPostman = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const fieldsIn = (place: Parameter['in']) =>
    operation.parameters.filter((parameter) => parameter.in === place).map(fieldOf);
  const query = fieldsIn('query');
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    method,
    url: {
      raw: `{{base_url}}${inPostman}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
      host: ['{{base_url}}'],
      path: inPostman.slice(1).split('/'),
      query,
      variable: fieldsIn('path'),
    },
    header: fieldsIn('header'),
    ...(example && { body: bodyOf(example) }),
  };
}

/** What may be left out is there, but turned off. */
function fieldOf({ name, description, required, schema }: Parameter): Field {
  const { example, examples: [first] = [], default: standard } = schema;
  const value = example ?? first ?? standard ?? '';
  return {
    key: name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
    description,
    ...(!required && { disabled: true as const }),
  };
}

function bodyOf({ value }: Example): NonNullable<PostmanRequest['body']> {
  const raw = JSON.stringify(value, null, 2).replaceAll(
    /("scheduled_at": ")\d{4}-\d\d-\d\d(?=T)/g,
    '$1{{tomorrow}}',
  );
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}
