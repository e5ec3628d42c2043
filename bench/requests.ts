import { createHmac } from 'node:crypto';
import type { WireReceipt, WireWebhook } from '../src/provider/wire.js';
import type { Accounts } from './accounts.js';
import { writeTag } from '../src/messages/domain/message-tag.js';
import { providerMessageId } from './provider/messages.js';
import { SENT_TEMPLATE } from './provider/templates.js';

/** A request as it is sent, all in ASCII, so that a character is a byte. */
function httpRequest(line: string, headers: Record<string, string>, body = ''): string {
  const all = { Host: 'bench', ...headers, ...(body && { 'Content-Length': String(body.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

let recipients = 0;

/** The digits of a recipient that no other message of the run has, as there is a limit for each recipient. */
export function nextRecipient(): string {
  recipients += 1;
  return `97150${String(recipients).padStart(7, '0')}`;
}

/** Makes sends, from the numbers in turn, each to a recipient of its own. */
export function sends(accounts: Accounts): () => string {
  const headers = headersOf(accounts);
  const next = messages(accounts);
  return () => httpRequest('POST /api/v1/messages/send', headers, JSON.stringify(next()));
}

/** Makes batches of so many sends. */
export function batches(accounts: Accounts, size: number): () => string {
  const headers = headersOf(accounts);
  const next = messages(accounts);
  return () => {
    const body = { messages: Array.from({ length: size }, next) };
    return httpRequest('POST /api/v1/messages/batch', headers, JSON.stringify(body));
  };
}

const headersOf = ({ apiKey }: Accounts) => ({
  Authorization: `Bearer ${apiKey}`,
  'Content-Type': 'application/json',
});

/** Makes bodies of sends. */
function messages({ messagingAccountIds }: Accounts): () => object {
  let count = 0;
  return () => ({
    messaging_account_id: messagingAccountIds[(count += 1) % messagingAccountIds.length],
    phone: `+${nextRecipient()}`,
    message_type: 'template',
    data: { name: SENT_TEMPLATE, language_code: 'en_US', components: COMPONENTS },
    auto_retry_on_frequency_cap: false,
  });
}

export const COMPONENTS = [
  {
    type: 'body',
    parameters: [
      { type: 'text', text: 'Amal' },
      { type: 'text', text: 'A-1001' },
    ],
  },
];

/** Lists the 250 templates; with the ETag of an earlier answer when there is one. */
export function list({ apiKey, messagingAccountIds }: Accounts, etag?: string): string {
  const headers = { Authorization: `Bearer ${apiKey}`, ...(etag && { 'If-None-Match': etag }) };
  return httpRequest(`GET /api/v1/templates?messaging_account_id=${messagingAccountIds[0]}`, headers);
}

/** Lists messages by conditions in turn that few or no messages fulfil, and for which there is no index. */
export function messageLists({ apiKey, messagingAccountIds }: Accounts): () => string {
  const queries = [
    'template=no_such_template',
    `template=${SENT_TEMPLATE}&status=sending`,
    `messaging_account_id=${messagingAccountIds[0]}&template=no_such_template`,
    'status=sent&created_to=2020-01-01T00:00:00Z',
    'status=delivered',
  ];
  let count = 0;
  return () => {
    const query = queries[(count += 1) % queries.length];
    return httpRequest(`GET /api/v1/messages?limit=100&${query}`, { Authorization: `Bearer ${apiKey}` });
  };
}

/** Reads the newest messages, those of a recipient, and one by its id, in turns. */
export function messageReads({ apiKey }: Accounts, ids: number[]): () => string {
  const headers = { Authorization: `Bearer ${apiKey}` };
  let count = 0;
  return () => {
    count += 1;
    const id = ids[(count * 7919) % ids.length] ?? 0;
    const paths = ['?limit=100', `?limit=100&phone=97150${String(count % 1000).padStart(7, '0')}`, `/${id}`];
    return httpRequest(`GET /api/v1/messages${paths[count % paths.length]}`, headers);
  };
}

/** A page of the stream of events. */
export function eventPage({ apiKey }: Accounts, after: string): string {
  return httpRequest(`GET /api/v1/events?limit=1000&after=${after}`, { Authorization: `Bearer ${apiKey}` });
}

/**
 * A delivery of one receipt for each of these messages. Without number and recipient, which would have to be the
 * message's where the receipt comes before the answer to its call is recorded.
 */
export function receipts(accounts: Accounts, messageLogIds: number[], status: 'delivered' | 'read'): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const statuses: WireReceipt[] = messageLogIds.map((id) => ({
    id: providerMessageId(id),
    status,
    timestamp,
    biz_opaque_callback_data: writeTag(accounts.installation, id),
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  }));
  const value = {
    messaging_product: 'whatsapp',
    statuses,
  };
  const webhook: WireWebhook = {
    object: 'whatsapp_business_account',
    entry: [{ id: accounts.wabaId, changes: [{ field: 'messages', value }] }],
  };
  const body = JSON.stringify(webhook);
  const signature = createHmac('sha256', accounts.appSecret).update(body).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` };
  return httpRequest('POST /webhooks/provider', headers, body);
}

/** The id in the answer to a send. */
export function messageLogIdOf(answer: Buffer): number {
  return (JSON.parse(answer.toString()) as { data: { message_log_id: number } }).data.message_log_id;
}
