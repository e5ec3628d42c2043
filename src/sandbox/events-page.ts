import { clockTime, escapeHtml, formButton, htmlPage } from './html.js';
import { PUSH_ANSWERS, type Push, type PushAnswer, type PushedEvents } from './pushed-events.js';
import type { SandboxClock } from './sandbox-clock.js';
import { isObject } from './send-request.js';

const SWITCH: Record<PushAnswer, string> = {
  ok: 'Take them (200)',
  error_500: 'Fail (500)',
  hang: 'Never answer',
};

const ANSWERED: Record<Push['answer'], string> = {
  ok: 'answered with 200',
  error_500: 'answered with 500',
  hang: 'not answered',
  refused: 'refused with 401',
};

/** What endpoints have pushed here, newest first, and how it is answered. */
export function eventsPage(pushed: PushedEvents, clock: SandboxClock): string {
  const list = pushed.list().map(pushCard).join('\n');
  return htmlPage('Pushed events', `${head(pushed)}${list || NOTHING}`, clock, { refresh: true });
}

const NOTHING = '<p class="soft">Nothing was pushed yet.</p>';

function head(pushed: PushedEvents): string {
  return `<article class="card">${linkOf(pushed)}
<div class="row left"><span>Answer what comes next:</span>${PUSH_ANSWERS.map((answer) => option(answer, pushed.answer)).join('')}</div>
<p class="soft">A request that fails, or has no answer for 15 seconds, comes again after 5 s, 30 s, 2 min, 10 min, 1 h, then hourly,
with the same webhook-id. The endpoint is disabled after 72 hours.</p></article>`;
}

function linkOf({ isReady, service }: PushedEvents): string {
  const button = formButton('/control/events/endpoint', {}, 'Push the demo tenant’s events here');
  const secret = `<form data-json action="/control/events/secret"><input name="secret" required aria-label="Secret of an endpoint" placeholder="whsec_…"> <button>Add a secret</button></form>`;
  const known = isReady
    ? 'The secret of an endpoint is known: what it pushes is verified and shown.'
    : 'No endpoint pushes here yet.';
  return `<p>${known}</p><div class="row left">${service ? button : ''}${secret}</div>
<p class="soft">Or make an endpoint by hand, with the address of this page, and add its secret.</p>`;
}

function option(answer: PushAnswer, current: PushAnswer): string {
  return formButton('/control/events', { answer }, SWITCH[answer], answer === current);
}

function pushCard(push: Push): string {
  const { number, received_at, webhook_id, tries, fault, answer, body } = push;
  const state =
    fault === null
      ? `<span class="good">signature verified</span>`
      : `<span class="bad">${escapeHtml(fault)}</span>`;
  const again = tries > 1 ? ` · <strong>try ${tries}</strong>` : '';
  const isTaken = answer === 'ok';
  return `<article class="card">
<div class="row"><span>${state} · <span class="${isTaken ? 'good' : 'bad'}">${ANSWERED[answer]}</span>${again}</span><span class="soft">${clockTime(received_at)}</span></div>
<ul>${eventsOf(body).map(eventLine).join('')}</ul>
<div class="soft"><code>${escapeHtml(webhook_id)}</code></div>
<details id="push-${number}"><summary class="soft">Raw JSON</summary><pre>${escapeHtml(pretty(body))}</pre></details>
</article>`;
}

/** An event in one line: its type, and what it is about, as far as it says so. */
function eventLine(event: Record<string, unknown>): string {
  const data = isObject(event.data) ? event.data : {};
  const about = ['message_log_id', 'from', 'phone', 'text', 'client_reference', 'name', 'status']
    .map((field) => data[field])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return `<li><code>${escapeHtml(event.type)}</code> <span class="soft">${about.map(escapeHtml).join(' · ')}</span></li>`;
}

function eventsOf(body: string): Record<string, unknown>[] {
  const parsed = parse(body);
  const events = isObject(parsed) ? parsed.events : undefined;
  return Array.isArray(events) ? events.filter(isObject) : [];
}

function pretty(body: string): string {
  const parsed = parse(body);
  return parsed === undefined ? body : JSON.stringify(parsed, null, 2);
}

/** Undefined for what is no JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
