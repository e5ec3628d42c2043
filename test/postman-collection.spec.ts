import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PostmanFolder, PostmanItem } from '../src/openapi/postman-collection.js';
import { OPERATIONS } from './fuzz/documented-api.js';
import { SECRETS } from './support/service.js';
import { useTestService } from './support/test-service.js';

interface Collection {
  variable: { key: string; value: string }[];
  event: { script: { exec: string[] } }[];
  item: PostmanFolder[];
}

const collection = JSON.parse(readFileSync('docs/postman-collection.json', 'utf8')) as Collection;

const requestsOf = (item: PostmanItem | PostmanFolder): PostmanItem[] =>
  'request' in item ? [item] : item.item.flatMap(requestsOf);

const items = collection.item.flatMap(requestsOf);

/** What is no fault of a request: what the ids of the examples name is not there, or no longer waits. */
const TAKEN = [
  'none',
  'MESSAGE_NOT_FOUND',
  'MESSAGE_NOT_CANCELABLE',
  'WEBHOOK_ENDPOINT_NOT_FOUND',
  'OPT_OUT_NOT_FOUND',
  'CURSOR_EXPIRED',
];

describe('The Postman collection', () => {
  const service = useTestService();
  const values = new Map<string, string>();
  const resolved = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? '');

  beforeAll(() => {
    for (const { key, value } of collection.variable) values.set(key, value);
    const collectionVariables = { set: (key: string, value: string) => values.set(key, value) };
    // As Postman does before a request.
    for (const { script } of collection.event)
      new Function('pm', script.exec.join('\n'))({ collectionVariables });
    values.set('base_url', service().url).set('api_key', SECRETS.demoApiKey);
  });

  it('has a request for each operation and example of openapi.json', () => {
    const asked = items.map(({ request }) => `${request.method} /${request.url.path.join('/')}`);
    const documented = OPERATIONS.flatMap(({ method, path, requestBody }) => {
      const examples = requestBody?.content?.['application/json']?.examples ?? { none: {} };
      return Object.keys(examples).map(() => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    });
    expect(asked.toSorted()).toEqual(documented.toSorted());
  });

  /** Sends it as Postman does. @param isWhole with all of its query that has a value, not only with what is turned on */
  async function expectTaken({ name, request }: PostmanItem, isWhole = false): Promise<void> {
    const { method, url, header, body } = request;
    const used = header.filter(({ disabled }) => !disabled);
    const response = await fetch(addressOf(url, isWhole), {
      method,
      headers: {
        Authorization: `Bearer ${values.get('api_key')}`,
        ...Object.fromEntries(used.map(({ key, value }) => [key, resolved(value)])),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: resolved(body.raw) }),
    });
    const { success, error } = (await response.json()) as { success: boolean; error?: { code: string } };
    const fault = success ? 'none' : error?.code;
    expect([name, TAKEN]).toEqual([name, expect.arrayContaining([fault])]);
  }

  function addressOf({ raw, query, variable }: PostmanItem['request']['url'], isWhole: boolean): string {
    const address = variable.reduce((text, { key, value }) => text.replace(`:${key}`, value), resolved(raw));
    if (!isWhole) return address;
    const given = query
      .filter(({ value }) => value !== '')
      .map(({ key, value }): [string, string] => [key, value]);
    return `${address.split('?')[0]}?${new URLSearchParams(given)}`;
  }

  it('has requests that the service takes, once it has its address and key', async () => {
    for (const item of items) await expectTaken(item);
  });

  it('has values that the service takes in the parts of queries that are turned off', async () => {
    for (const item of items.filter(({ request: { url } }) => url.query.length > 0))
      await expectTaken(item, true);
  });
});
