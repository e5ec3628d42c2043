import { clockTime, escapeHtml, formButton, hiddenField, htmlPage } from './html.js';
import type { SandboxClock } from './sandbox-clock.js';
import type {
  QuickReply,
  SandboxMessage,
  SandboxReceipt,
  SandboxReply,
  SandboxState,
} from './sandbox-state.js';

const HEADER_ICONS: Record<string, string> = { image: '🖼️', video: '🎬', document: '📄', location: '📍' };
const GOOD = new Set(['delivered', 'read']);

/**
 * The inbox as a phone would show it, newest first.
 * @param to the one phone that is shown; undefined for all
 */
export function inboxPage(
  messages: SandboxMessage[],
  total: number,
  state: Pick<SandboxState, 'hasStopped'>,
  clock: SandboxClock,
  to?: string,
): string {
  const whose = to === undefined ? '' : ` of +${escapeHtml(to)} (<a href="/inbox">all phones</a>)`;
  const intro = `<p class="soft">${messages.length} of ${total} messages${whose}. Reply as the phone that got a message: by its
buttons, or by a text such as STOP. <a href="/inbox.json">JSON</a></p>`;
  const list = messages.map((message) => messageCard(message, state)).join('\n');
  const nothing = '<p class="soft">No message has been taken yet.</p>';
  return htmlPage('Sandbox inbox', `${intro}${list || nothing}`, clock, { refresh: true });
}

function messageCard(message: SandboxMessage, state: Pick<SandboxState, 'hasStopped'>): string {
  const { to, template, taken_at, wamid, biz_opaque_callback_data: callbackData } = message;
  return `<article class="card">
<div class="row"><strong><a class="plain" href="/inbox?to=${encodeURIComponent(to)}">+${escapeHtml(to)}</a></strong>
<span class="soft">${clockTime(taken_at)}</span></div>
<div class="soft">${escapeHtml(template.name)} · ${escapeHtml(template.language)} · ${escapeHtml(message.category.toLowerCase())}</div>
<div class="bubble">${header(message)}<p>${escapeHtml(message.text)}</p>${footer(message)}${buttons(message)}</div>
${(message.replies ?? []).map(replyBubble).join('')}
<div class="row"><span class="${statusClass(message.status)}">${escapeHtml(message.status)}</span>
<span class="soft">${message.receipts.map(receipt).join(' → ') || 'no receipt yet'}</span></div>
<div class="soft"><code>${escapeHtml(wamid)}</code>${callbackData === undefined ? '' : `<br>callback data <code>${escapeHtml(callbackData)}</code>`}</div>
${answer(message, state.hasStopped(message.waba_id, to))}
</article>`;
}

const pathOf = (to: string) => `/control/recipients/${encodeURIComponent(to)}`;

/** What the recipient can do: write a text, and stop or resume marketing. */
function answer({ to, waba_id, wamid, phone_number_id }: SandboxMessage, hasStopped: boolean): string {
  const label = `Reply as +${escapeHtml(to)}`;
  const preference = { waba_id, value: hasStopped ? 'resume' : 'stop' };
  return `<div class="row">
<form data-json action="${pathOf(to)}/messages">${hiddenField('phone_number_id', phone_number_id)}${hiddenField('in_reply_to', wamid)}
<input name="text" required aria-label="${label}" placeholder="${label}"> <button>Reply</button></form>
${formButton(`${pathOf(to)}/preference`, preference, `${hasStopped ? 'Resume' : 'Stop'} marketing`)}</div>`;
}

/** The labels of all buttons; those of quick replies can be tapped. */
function buttons(message: SandboxMessage): string {
  const replies = [...(message.quick_replies ?? [])];
  const own = message.buttons.map((label) => {
    const at = replies.findIndex(({ text }) => text === label);
    const [reply] = at < 0 ? [] : replies.splice(at, 1);
    return reply ? quickReply(message, reply) : `<div class="button">${escapeHtml(label)}</div>`;
  });
  return [...own, ...replies.map((reply) => quickReply(message, reply))].join('');
}

function quickReply({ to, wamid, phone_number_id }: SandboxMessage, { text, payload }: QuickReply): string {
  const fields = { phone_number_id, in_reply_to: wamid, text, payload };
  return `<div class="button">${formButton(`${pathOf(to)}/messages`, fields, text)}</div>`;
}

function replyBubble({ at, text, payload }: SandboxReply): string {
  const sent = payload === text ? '' : ` (payload ${escapeHtml(payload)})`;
  const how = payload === undefined ? 'replied' : `tapped a button${sent}`;
  return `<div class="bubble reply"><p>${escapeHtml(text)}</p><span class="soft">${how} · ${clockTime(at)}</span></div>`;
}

function header({ header: shown }: SandboxMessage): string {
  if (!shown) return '';
  if (shown.kind === 'text') return `<p><strong>${escapeHtml(shown.text)}</strong></p>`;
  const icon = HEADER_ICONS[shown.kind] ?? '📎';
  return `<p>${icon} ${escapeHtml(shown.kind)} ${escapeHtml(shown.text)} ${mediaLink(shown.media)}</p>`;
}

function mediaLink(media: string | undefined): string {
  if (media === undefined) return '';
  const isUrl = /^https?:\/\//i.test(media);
  const target = isUrl ? media : `/files/${encodeURIComponent(media)}`;
  return `<a href="${escapeHtml(target)}" target="_blank" rel="noreferrer noopener">${escapeHtml(media)}</a>`;
}

function footer(message: SandboxMessage): string {
  return message.footer === undefined ? '' : `<p class="soft">${escapeHtml(message.footer)}</p>`;
}

function receipt({ status, errors }: SandboxReceipt): string {
  const code = errors?.[0]?.code;
  const text = code === undefined ? status : `${status} (${code})`;
  return `<span class="${statusClass(status)}">${escapeHtml(text)}</span>`;
}

function statusClass(status: string): string {
  if (status === 'failed') return 'bad';
  return GOOD.has(status) ? 'good' : 'soft';
}
