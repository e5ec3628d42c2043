import type { GraphParts } from './graph-parts.js';
import { escapeHtml, htmlPage } from './html.js';
import { PUSH_ANSWERS } from './pushed-events.js';
import { RECIPIENTS, exampleNumber } from './recipients.js';
import { FAULT_MODES } from './sandbox-control.js';
import type { SandboxState, StoredAccount } from './sandbox-state.js';
import { STATUS_EVENTS } from './template-lifecycle.js';

const ENDPOINTS: [call: string, meaning: string][] = [
  ['POST /{version}/{phone-number-id}/messages', 'send a template, or mark a message as read'],
  ['GET, POST, DELETE /{version}/{waba-id}/message_templates', 'list, create, delete templates'],
  ['GET, POST /{version}/{template-id}', 'read, edit a template'],
  ['POST /{version}/{app-id}/uploads, POST /{version}/{upload-id}', "upload a template's sample"],
  ['POST /{version}/{phone-number-id}/media', 'upload media to send'],
  ['GET, DELETE /{version}/{media-id}', 'where media are, and how to be rid of them'],
  ['GET, POST, DELETE /{version}/{waba-id}/subscribed_apps', 'whether webhooks are sent'],
  ['GET, POST /{version}/{phone-number-id}/whatsapp_business_profile', "a number's profile"],
  ['GET /{version}/{waba-id}, …/phone_numbers, /{version}/{phone-number-id}', 'the account and its numbers'],
  ['GET /inbox, /inbox.json ?to= &limit=', 'the messages that were taken, newest first'],
  ['DELETE /inbox', 'empties the inbox'],
  ['GET /control/accounts, /control/templates, /control/recipients', 'what there is'],
  [
    'POST /control/templates/{id or name}/status {status, reason?, title?, language?}',
    `one of ${STATUS_EVENTS.join(', ')}; with its webhook`,
  ],
  [
    'POST /control/templates/{id or name}/quality {score, language?}',
    'GREEN, YELLOW, RED, UNKNOWN; RED pauses the template',
  ],
  [
    'POST /control/templates/{id or name}/category {category, warning?, language?}',
    'changes the category, or only warns of it',
  ],
  [
    'POST /control/numbers {phone, name?, waba_id?}',
    'another number, of an account of its own unless one is named; answers with what the dashboard asks for',
  ],
  [
    'POST /control/accounts/{waba-id}/clone {}',
    'as for a change of currency: another account with the same templates under new ids, and no number yet',
  ],
  [
    'POST /control/numbers/{phone-number-id}/move {waba_id}',
    'gives a number to another account; its former account no longer knows it',
  ],
  ['POST /control/accounts/{waba-id}/token {revoked}', 'revokes or restores the access token'],
  [
    'POST /control/accounts/{waba-id}/webhook {url, verify_token?}',
    'where the webhooks go; with a token the URL must echo a challenge first',
  ],
  [
    'POST /control/recipients/{phone}/preference {waba_id, value}',
    'stop or resume: whether the recipient takes marketing of the account, with its webhook',
  ],
  [
    'POST /control/recipients/{phone}/messages {phone_number_id, text, in_reply_to?, payload?}',
    'the recipient writes to the number, perhaps in reply to a wamid; with a payload, by tapping a button; with its webhook',
  ],
  ['GET /events, /events.json', "the service's own events that were pushed here, newest first"],
  ['POST /events', 'where an endpoint pushes them; signatures of known secrets are taken'],
  [
    'POST /control/events/endpoint {}',
    "makes an endpoint for it, of the demo's tenant; one that is there gets another secret",
  ],
  ['POST /control/events/secret {secret}', 'the secret of an endpoint that was made by hand'],
  ['POST /control/events {answer}', `how pushed events are answered: ${PUSH_ANSWERS.join(', ')}`],
  [
    'GET, POST /control/clock {forward}',
    'moves the clock of service and sandbox, by 10min, 26h or 7d: see the page Clock',
  ],
  ['POST /control/webhooks {field, value, wabaId}', 'sends any webhook, signed'],
  [
    'POST /control/faults {mode, delay?}',
    `for all sends: ${FAULT_MODES.join(', ')}; delay in milliseconds for slow`,
  ],
];

/** A page about the sandbox: what it is, what it has, and its routes. */
export function indexPage({ state, clock }: Pick<GraphParts, 'state' | 'clock'>): string {
  const accounts = [...state.accounts.values()].map((account) => accountRow(state, account));
  const main = `<p>An imitation of the WhatsApp Cloud API: it takes messages, sends receipts, and no phone ever rings.</p>
<h2>Business accounts</h2>${table(['Account', 'Numbers', 'Templates', 'Webhook'], accounts)}
<h2>Recipients with a meaning</h2><p class="soft">The last four digits decide, whatever stands before them.</p>
${table(
  ['Ends in', 'Example', 'What happens'],
  RECIPIENTS.map((recipient) => [recipient.suffix, exampleNumber(recipient), recipient.meaning]),
)}
<h2>Endpoints</h2>${table(['Call', 'Meaning'], ENDPOINTS)}`;
  return htmlPage('Sandbox provider', main, clock);
}

function accountRow(state: SandboxState, account: StoredAccount): string[] {
  const numbers = account.numbers.map((number) => `${number.displayPhoneNumber} (${number.phoneNumberId})`);
  const templates = state.templatesOf(account.wabaId).length;
  const token = account.revoked ? ', token revoked' : '';
  return [`${account.wabaId}${token}`, numbers.join(', '), String(templates), account.webhookUrl ?? 'none'];
}

function table(heads: string[], rows: string[][]): string {
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('');
  return `<div class="scroll"><table><tr>${cells('th', heads)}</tr>${body}</table></div>`;
}

function cells(tag: string, row: string[]): string {
  return row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('');
}
