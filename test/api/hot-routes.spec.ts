import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { sendBody } from '../support/api.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import { sign } from '../support/webhooks.js';

/** The hot routes answer without Express (src/app/hot-routes.ts); what is not plain goes the long way. */
const service = useTestService();

interface Plain {
  method: 'GET' | 'POST';
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

interface Seen {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** As a client sends it that knows how long its body is. */
const short = (call: Plain) =>
  ask(call, call.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(call.body)) });

/** The same said in an unusual way: a body in chunks, or the length of none. */
const long = (call: Plain) =>
  ask(call, call.body === undefined ? { 'Content-Length': '0' } : { 'Transfer-Encoding': 'chunked' });

async function ask({ method, path, body, headers }: Plain, framing: Record<string, string>): Promise<Seen> {
  const { url, api } = service();
  const options: RequestOptions = {
    method,
    agent: false,
    headers: { Authorization: `Bearer ${api.key}`, 'X-Request-Id': 'mine', ...headers, ...framing },
  };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      // Express says of everything that it might be packed.
      const { date: _date, vary: _vary, ...rest } = response.headers;
      resolve({ status: response.statusCode, headers: rest, body: masked(text) });
    });
    call.on('error', reject).end(body);
  });
}

/** Without what differs from one message to the next. */
const masked = (text: string) => text.replace(/"message_log_id":\d+/, '"message_log_id":1');

const SEND = '/api/v1/messages/send';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const send = (body: unknown, headers: Record<string, string> = JSON_TYPE): Plain => ({
  method: 'POST',
  path: SEND,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  headers,
});
const list = (query: string, headers: Record<string, string> = {}): Plain => ({
  method: 'GET',
  path: `/api/v1/templates${query}`,
  headers,
});
const valid = sendBody('+12025550100');
const account = `?messaging_account_id=${DEMO.numbers[0].apiId}`;

const KEY = { Authorization: 'Bearer tms_nobody' };
const webhook = (body: string, signature = sign(body, SECRETS.sandboxAppSecret)): Plain => ({
  method: 'POST',
  path: '/webhooks/provider',
  body,
  headers: { ...JSON_TYPE, 'X-Hub-Signature-256': signature },
});
const emptyDelivery = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: DEMO.wabaId, changes: [] }],
});

const CALLS: [string, number, Plain][] = [
  ['a send', 202, send(valid)],
  ['a send with a byte order mark', 202, send(`\ufeff${JSON.stringify(valid)}`)],
  ['a send with a charset', 202, send(valid, { 'Content-Type': 'application/json; charset=UTF-8' })],
  ['a send with a malformed Idempotency-Key', 400, send(valid, { ...JSON_TYPE, 'Idempotency-Key': 'a b' })],
  ['a send with an unknown field', 400, send({ ...valid, colour: 'red' })],
  ['a send with a field that every object has', 400, send('{"__proto__":{}}')],
  ['a send of half a body', 400, send('{"phone":')],
  ['a send of bytes that are not UTF-8', 400, send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['a send of null', 400, send('null')],
  ['a send nested too deeply', 400, send(`${'['.repeat(50)}${']'.repeat(50)}`)],
  ['a send from an account that there is not', 404, send({ ...valid, messaging_account_id: 'acc_x' })],
  ['a send of a template that there is not', 404, send({ ...valid, data: { name: 'nothing' } })],
  ['a send to what is no phone', 422, send({ ...valid, phone: '12' })],
  ['a send without a template variable', 422, send({ ...valid, data: { name: 'order_update' } })],
  ['a send for another tenant', 403, send(valid, { ...JSON_TYPE, 'X-TENANT-ID': crypto.randomUUID() })],
  ['a send without a valid key', 401, send(valid, { ...JSON_TYPE, ...KEY })],
  ['a send of text', 415, send(valid, { 'Content-Type': 'text/plain' })],
  ['a send of too much', 413, send({ ...valid, phone: '1'.repeat(300_000) })],
  ['a send that says it is packed', 400, send(valid, { ...JSON_TYPE, 'Content-Encoding': 'gzip' })],
  ['the list', 200, list(account)],
  ['the list of a status', 200, list(`${account}&status=APPROVED`)],
  ['the list of a status that there is not', 400, list(`${account}&status=GONE`)],
  ['the list of nothing', 400, list('')],
  ['the list of two accounts', 400, list(`${account}&${account.slice(1)}`)],
  ['the list with an unknown parameter', 400, list(`${account}&colour=red`)],
  ['the list with a malformed escape', 400, list('?messaging_account_id=%00%')],
  ['the list of an account that there is not', 404, list('?messaging_account_id=acc_x?&')],
  ['the list without a valid key', 401, list(account, KEY)],
  ['the list that is known', 304, list(account, { 'If-None-Match': '*' })],
  ['a webhook', 200, webhook(emptyDelivery)],
  ['a webhook with another signature', 401, webhook(emptyDelivery, sign(emptyDelivery, 'x'))],
  ['a webhook without a signature', 401, { ...webhook(emptyDelivery), headers: JSON_TYPE }],
  ['a webhook that is not JSON', 400, webhook('{')],
  ['a webhook that is not JSON, and not signed', 401, webhook('{', sign('{', 'x'))],
  [
    'a webhook nested too deeply',
    400,
    webhook(emptyDelivery.replace('[]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)),
  ],
];

describe('The hot way and the long way', () => {
  it.each(CALLS)('answer %s with the same %d', async (_case, status, call) => {
    const expected = await long(call);
    expect(await short(call)).toEqual(expected);
    expect(expected.status).toBe(status);
  });

  it('have their body in packed form alike', async () => {
    const call = list(account, { 'Accept-Encoding': 'br;q=1, gzip;q=0.5' });
    expect((await short(call)).headers['content-encoding']).toBe('gzip');
    const plain = list(account, { 'Accept-Encoding': 'gzip;q=0, identity' });
    expect((await short(plain)).headers['content-encoding']).toBeUndefined();
    expect((await long(plain)).headers).toEqual((await short(plain)).headers);
  });
});
