import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { sendBody } from '../support/api.js';
import { RawConnection } from '../support/raw-connection.js';
import { SECRETS, startSecondService } from '../support/service.js';
import { StockAdapter } from '../support/stock-express.js';
import { useTestService } from '../support/test-service.js';
import { sign } from '../support/webhooks.js';

/** The API and the webhooks answer without Express (src/http/http-adapter.ts), and as Express would. */
const service = useTestService();
let stock: Awaited<ReturnType<typeof startSecondService>>;
beforeAll(async () => {
  stock = await startSecondService(service(), 'api', new StockAdapter());
});
afterAll(() => stock.stop());

const HOST = 'Host: localhost';
const KEY = `Authorization: Bearer ${SECRETS.demoApiKey}`;
const JSON_TYPE = 'Content-Type: application/json';
const SEND = '/api/v1/messages/send';
const WEBHOOK = '/webhooks/provider';
const CHUNKED = 'Transfer-Encoding: chunked';
const QUERY = `messaging_account_id=${DEMO.numbers[0].apiId}`;
const LIST = `/api/v1/templates?${QUERY}`;

const valid = sendBody('+12025550100');
const validText = JSON.stringify(valid);
const delivery = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: DEMO.wabaId, changes: [] }],
});
const signature = (body: string, secret = SECRETS.sandboxAppSecret) =>
  `X-Hub-Signature-256: ${sign(body, secret)}`;

/** A request's bytes, with their length where there are any. */
function bytesOf(line: string, headers: string[], body?: string | Buffer): Buffer {
  const content = Buffer.from(body ?? '');
  const length = body === undefined ? [] : [`Content-Length: ${content.length}`];
  const version = line.includes(' HTTP/') ? line : `${line} HTTP/1.1`;
  const host = version.endsWith('/1.0') ? [] : [HOST];
  const head = [version, ...host, 'X-Request-Id: mine', 'Connection: close', ...headers, ...length];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]);
}

const get = (path: string, ...headers: string[]) => bytesOf(`GET ${path}`, [KEY, ...headers]);
const ask = (method: string, path: string, ...headers: string[]) =>
  bytesOf(`${method} ${path}`, [KEY, ...headers]);
const send = (body: unknown, ...headers: string[]) =>
  bytesOf(
    `POST ${SEND}`,
    [KEY, ...(headers.length > 0 ? headers : [JSON_TYPE])],
    typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  );
const webhook = (body: string, ...headers: string[]) => bytesOf(`POST ${WEBHOOK}`, headers, body);
const inChunks = (bytes: Buffer, body: string, size: number) => {
  const head = bytes.toString().replace(/Content-Length: \d+/, CHUNKED);
  const parts = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
  return Buffer.from(`${head.slice(0, head.indexOf('\r\n\r\n') + 4)}${chunks.join('')}0\r\n\r\n`);
};

/** What is asked, the status that both answer with, and the bytes. */
const FORMS: [string, number, Buffer][] = [
  ['a send', 202, send(valid)],
  ['a send in chunks', 202, inChunks(send(valid), validText, 50)],
  ['a send with a byte order mark', 202, send(`\ufeff${validText}`)],
  ['a send with blanks around it', 202, send(` \n${validText}\n`)],
  ['a send with a charset', 202, send(valid, 'Content-Type: application/json; charset=UTF-8')],
  ['a send with a charset in quotes', 202, send(valid, 'Content-Type: Application/JSON;charset="utf-8"')],
  ['a send with other parameters', 202, send(valid, 'Content-Type: application/json; version=1')],
  ['a send in another charset', 415, send(valid, 'Content-Type: application/json; charset=latin1')],
  [
    'a send in UTF-16',
    415,
    send(Buffer.from(validText, 'utf16le'), 'Content-Type: application/json; charset=utf-16le'),
  ],
  ['a send that calls UTF-8 otherwise', 415, send(valid, 'Content-Type: application/json; charset=utf8')],
  ['a send in JSON of another kind', 415, send(valid, 'Content-Type: application/problem+json')],
  ['a send of text', 415, send(valid, 'Content-Type: text/plain')],
  ['a send of a form', 415, send('a=b', 'Content-Type: application/x-www-form-urlencoded')],
  ['a send of no type', 415, send(valid, 'X-Other: 1')],
  ['a send of a type that is none', 415, send(valid, 'Content-Type: ;')],
  ['a send with the type twice', 202, send(valid, JSON_TYPE, 'Content-Type: text/plain')],
  ['a send that is packed', 415, send(gzipSync(validText), JSON_TYPE, 'Content-Encoding: gzip')],
  ['a send that says it is packed', 415, send(valid, JSON_TYPE, 'Content-Encoding: br')],
  ['a send that says it is not packed', 202, send(valid, JSON_TYPE, 'Content-Encoding: Identity')],
  ['a send without a body', 400, ask('POST', SEND)],
  ['a send of no bytes', 400, send('')],
  ['a send of no bytes in chunks', 400, inChunks(send(''), '', 1)],
  ['a send of no bytes and another type', 400, send('', 'Content-Type: text/plain')],
  ['a send of half a body', 400, send('{"phone":')],
  ['a send of two bodies', 400, send('{}{}')],
  ['a send of bytes that are not UTF-8', 400, send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['a send of null', 400, send('null')],
  ['a send of a number', 400, send('1')],
  ['a send of a list', 400, send('[]')],
  ['a send with an unknown field', 400, send({ ...valid, colour: 'red' })],
  ['a send with a field that every object has', 400, send('{"__proto__":{}}')],
  ['a send nested too deeply', 400, send(`${'['.repeat(50)}${']'.repeat(50)}`)],
  ['a send with a malformed Idempotency-Key', 400, send(valid, JSON_TYPE, 'Idempotency-Key: a b')],
  ['a send of too much', 413, send({ ...valid, phone: '1'.repeat(300_000) })],
  ['a send of too much and no JSON', 415, send('1'.repeat(300_000), 'Content-Type: text/plain')],
  ['a send of too much in chunks', 413, inChunks(send('x'), '1'.repeat(300_000), 60_000)],
  ['a send from an account that there is not', 404, send({ ...valid, messaging_account_id: 'acc_x' })],
  ['a send of a template that there is not', 404, send({ ...valid, data: { name: 'nothing' } })],
  ['a send to what is no phone', 422, send({ ...valid, phone: '12' })],
  ['a send without a template variable', 422, send({ ...valid, data: { name: 'order_update' } })],
  ['a send for another tenant', 403, send(valid, JSON_TYPE, `X-TENANT-ID: ${crypto.randomUUID()}`)],
  ['a send without a key', 401, bytesOf(`POST ${SEND}`, [JSON_TYPE], validText)],
  ['a send without a key, of text', 401, bytesOf(`POST ${SEND}`, [], validText)],
  ['a send without a key, of too much', 401, bytesOf(`POST ${SEND}`, ['Content-Length: 4000000'])],
  ['a send by HTTP/1.0', 202, bytesOf(`POST ${SEND} HTTP/1.0`, [KEY, JSON_TYPE], validText)],
  ['a send with a slash behind', 202, bytesOf(`POST ${SEND}/`, [KEY, JSON_TYPE], validText)],
  ['a send with a query', 202, bytesOf(`POST ${SEND}?a=1`, [KEY, JSON_TYPE], validText)],
  ['a send to a whole URL', 202, bytesOf(`POST http://localhost${SEND}`, [KEY, JSON_TYPE], validText)],
  ['a GET where messages are sent', 404, get(SEND)],
  ['a PUT where messages are sent', 405, ask('PUT', SEND)],
  ['a DELETE where templates are listed', 405, ask('DELETE', LIST)],
  ['a POST where templates are listed', 405, bytesOf(`POST ${LIST}`, [KEY, JSON_TYPE], '{}')],
  ['OPTIONS', 405, ask('OPTIONS', SEND)],
  ['OPTIONS of nothing', 404, ask('OPTIONS', '/api/v1/nothing')],
  ['a method that few know', 405, ask('PROPFIND', LIST)],
  ['HEAD of the list', 200, ask('HEAD', LIST)],
  ['HEAD of a message', 404, ask('HEAD', '/api/v1/messages/999')],
  ['HEAD where messages are sent', 404, ask('HEAD', SEND)],
  ['the list', 200, get(LIST)],
  ['the list, packed', 200, get(LIST, 'Accept-Encoding: br;q=1, gzip;q=0.5')],
  ['the list, not packed', 200, get(LIST, 'Accept-Encoding: gzip;q=0, identity')],
  ['the list that is known', 304, get(LIST, 'If-None-Match: *')],
  ['the list that is known by another tag', 200, get(LIST, 'If-None-Match: "other"')],
  ['the list, with a body', 200, bytesOf(`GET ${LIST}`, [KEY, JSON_TYPE], '{}')],
  ['the list, with a body of text', 400, bytesOf(`GET ${LIST}`, [KEY], 'text')],
  ['the list, with a body of too much', 413, get(LIST, 'Content-Length: 300000')],
  ['the list with a slash behind', 200, get(`/api/v1/templates/?${QUERY}`)],
  ['the list with two slashes behind', 404, get(`/api/v1/templates//?${QUERY}`)],
  ['the list with a slash twice', 404, get(`/api//v1/templates?${QUERY}`)],
  ['the list in capitals', 404, get(`/api/v1/Templates?${QUERY}`)],
  ['the list with an escaped letter', 404, get(`/api/v1/%74emplates?${QUERY}`)],
  ['the list with a semicolon', 404, get(`/api/v1/templates;a=1?${QUERY}`)],
  ['the list with a hash', 200, get(`${LIST}#there`)],
  ['the list of a status', 200, get(`${LIST}&status=APPROVED`)],
  ['the list of a status that there is not', 400, get(`${LIST}&status=GONE`)],
  ['the list of nothing', 400, get('/api/v1/templates')],
  ['the list of two accounts', 400, get(`${LIST}&${QUERY}`)],
  ['the list with an unknown parameter', 400, get(`${LIST}&colour=red`)],
  ['the list with a parameter in brackets', 400, get(`${LIST}&a[b]=1`)],
  ['the list with a malformed escape', 400, get('/api/v1/templates?messaging_account_id=%00%')],
  ['the list of an account with a plus', 404, get('/api/v1/templates?messaging_account_id=a+b%2Bc')],
  ['the list of an account with a question mark', 404, get('/api/v1/templates?messaging_account_id=acc_x?&')],
  ['the list without a key', 401, bytesOf(`GET ${LIST}`, [])],
  ['the list by HTTP/1.0', 200, bytesOf(`GET ${LIST} HTTP/1.0`, [KEY])],
  ['the messages, packed', 200, get('/api/v1/messages?limit=1', 'Accept-Encoding: gzip')],
  ['a message', 404, get('/api/v1/messages/999999')],
  ['a message with an escaped id', 404, get('/api/v1/messages/%20%2F%25')],
  ['a message with a long id', 404, get(`/api/v1/messages/${'9'.repeat(5_000)}`)],
  ['a message whose id cannot be decoded', 400, get('/api/v1/messages/%zz')],
  ['a method that there is not, and no id either', 400, ask('DELETE', '/api/v1/messages/%zz')],
  ['a message without an id', 404, ask('POST', '/api/v1/messages//cancel')],
  ['the cancellation of a message', 404, ask('POST', '/api/v1/messages/999999/cancel')],
  ['the cancellation with a body of text', 415, bytesOf('POST /api/v1/messages/9/cancel', [KEY], 'text')],
  ['nothing under /api', 404, get('/api/v1/nothing')],
  ['nothing under /api, without a key', 401, bytesOf('GET /api/v1/nothing', [])],
  ['nothing under /api, with a body of text', 415, bytesOf('POST /api/v1/nothing', [KEY], 'text')],
  ['/api alone', 404, get('/api')],
  ['what only begins like /api', 404, get('/apiary')],
  ['a webhook', 200, webhook(delivery, signature(delivery))],
  ['a webhook in chunks', 200, inChunks(webhook(delivery, signature(delivery)), delivery, 40)],
  ['a webhook of any type', 200, webhook(delivery, signature(delivery), 'Content-Type: text/x; charset=x')],
  ['a webhook with a slash behind', 200, bytesOf(`POST ${WEBHOOK}/`, [signature(delivery)], delivery)],
  ['a webhook with another signature', 401, webhook(delivery, signature(delivery, 'x'))],
  ['a webhook without a signature', 401, webhook(delivery)],
  ['a webhook without a body', 400, bytesOf(`POST ${WEBHOOK}`, [signature('')])],
  ['a webhook that is packed', 415, webhook('x', signature('x'), 'Content-Encoding: gzip')],
  ['a webhook that is not JSON', 400, webhook('{', signature('{'))],
  ['a webhook of too much', 413, bytesOf(`POST ${WEBHOOK}`, ['Content-Length: 4000000'])],
  ['a PUT of a webhook', 405, bytesOf(`PUT ${WEBHOOK}`, [], '{}')],
  ['a challenge', 403, get(`${WEBHOOK}?hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1`)],
  ['nothing under /webhooks', 404, get('/webhooks/other')],
];

/**
 * The wanted differences: what stock Express answers instead. JSON is UTF-8 (RFC 8259), and nobody unpacks a body that
 * may be large once it is.
 */
const STOCK_STATUS: Record<string, number> = {
  'a send in UTF-16': 202,
  'a send that is packed': 202,
  'a send that says it is packed': 400,
};

interface Seen {
  status: string;
  headers: Record<string, string>;
  body: string;
}

async function answerOf(url: string, bytes: Buffer): Promise<Seen> {
  const text = await (await RawConnection.open(url)).say(bytes).textUntilClosed();
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2) as [string, string]));
  delete headers['Date'];
  if (status.includes(' 202 ')) delete headers['Content-Length']; // ids grow longer
  const body = Buffer.from(text.slice(end + 4), 'latin1');
  return { status, headers, body: masked(body, headers) };
}

/** Without what differs from one message to the next. */
function masked(body: Buffer, { 'Content-Encoding': coding, 'Transfer-Encoding': framing }: Seen['headers']) {
  const whole = framing === 'chunked' ? joined(body) : body;
  const text = (coding === 'gzip' && whole.length > 0 ? gunzipSync(whole) : whole).toString();
  return text.replace(/"message_log_id":\d+/, '"message_log_id":1');
}

/** The content of a body that came in chunks. */
function joined(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const line = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, line), 16);
    parts.push(body.subarray(line + 2, line + 2 + length));
    at = line + 4 + length;
  }
  return Buffer.concat(parts);
}

const answersTo = async (bytes: Buffer) => ({
  ours: await answerOf(service().url, bytes),
  expected: await answerOf(stock.url, bytes),
});

describe('The API and the webhooks', () => {
  it.each(FORMS.filter(([what]) => !STOCK_STATUS[what]))(
    'answer as with stock Express: %s, %d',
    async (_what, status, bytes) => {
      const { ours, expected } = await answersTo(bytes);
      expect(ours.status).toContain(` ${status} `);
      expect(ours).toEqual(expected);
    },
  );

  it.each(FORMS.filter(([what]) => STOCK_STATUS[what]))(
    'answer otherwise than stock Express, as is wanted: %s, %d',
    async (what, status, bytes) => {
      const { ours, expected } = await answersTo(bytes);
      expect(ours.status).toContain(` ${status} `);
      expect(expected.status).toContain(` ${STOCK_STATUS[what]} `);
    },
  );
});
