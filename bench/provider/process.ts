/**
 * The provider of the benchmark, in the wire format of the Graph API. It takes every message, answers at once, and
 * remembers what it took. Receipts come from the process that generates the load.
 */
import type { ServerResponse } from 'node:http';
import { readTag } from '../../src/messages/domain/message-tag.js';
import type { WireSendRequest } from '../../src/provider/wire.js';
import { readJson, serve, tellParent } from '../child.js';
import { type ProviderAnswer, providerMessageId, type ProviderRequest, type Taking } from './messages.js';
import { TEMPLATES } from './templates.js';

/** Milliseconds between two messages to the parent. */
const TELLING = 10;

let takings: Taking[] = [];
/** How many messages the parent has been told of, and how many of them it has asked for. */
let told = 0;
let read = 0;

function take({ to, biz_opaque_callback_data: ours }: WireSendRequest, response: ServerResponse): void {
  const id = readTag(ours)?.messageLogId ?? 0;
  takings.push([id, performance.timeOrigin + performance.now()]);
  answer(response, 200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: to, wa_id: to }],
    messages: [{ id: providerMessageId(id), message_status: 'accepted' }],
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}

serve((request, response) => {
  const [, , , resource = ''] = (request.url ?? '').split(/[/?]/);
  if (resource === 'messages') return readJson(request, (body) => take(body as WireSendRequest, response));
  request.resume();
  if (resource === 'message_templates') return answer(response, 200, { data: TEMPLATES });
  answer(response, 404, { error: { code: 100, message: 'There is nothing here' } });
});

process.on('message', (request: ProviderRequest) => {
  switch (request) {
    case 'takings':
      return tell({ kind: 'takings', takings });
    case 'news':
      tell({ kind: 'news', takings: takings.slice(read) });
      read = takings.length;
      return;
    case 'reset':
      takings = [];
      told = 0;
      read = 0;
      tell({ kind: 'reset' });
  }
});

setInterval(() => {
  if (takings.length === told) return;
  told = takings.length;
  tell({ kind: 'taken', taken: told });
}, TELLING);

function tell(message: ProviderAnswer): void {
  tellParent(message);
}
