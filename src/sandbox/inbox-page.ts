import { escapeHtml, htmlPage } from './html.js';
import type { SandboxMessage, SandboxReceipt, SandboxState } from './sandbox-state.js';

const HEADER_ICONS: Record<string, string> = { image: '🖼️', video: '🎬', document: '📄', location: '📍' };
const GOOD = new Set(['delivered', 'read']);

/** The inbox as a phone would show it, newest first. */
export function inboxPage(
  messages: SandboxMessage[],
  total: number,
  state: Pick<SandboxState, 'hasStopped'>,
): string {
  const links = `<span class="soft">${messages.length} of ${total} messages</span>
<a href="/">All endpoints</a><a href="/inbox.json">JSON</a>`;
  const list = messages.map((message) => messageCard(message, state)).join('\n');
  return htmlPage('Sandbox inbox', links, list || '<p class="soft">No message has been taken yet.</p>', true);
}

function messageCard(message: SandboxMessage, state: Pick<SandboxState, 'hasStopped'>): string {
  const { to, template, taken_at, wamid, biz_opaque_callback_data: callbackData } = message;
  return `<article class="card">
<div class="row"><strong>+${escapeHtml(to)}</strong>
<span class="soft"><time datetime="${escapeHtml(taken_at)}">${escapeHtml(clockTime(taken_at))}</time></span></div>
<div class="soft">${escapeHtml(template.name)} · ${escapeHtml(template.language)} · ${escapeHtml(message.category.toLowerCase())}</div>
<div class="bubble">${header(message)}<p>${escapeHtml(message.text)}</p>${footer(message)}${message.buttons.map(button).join('')}</div>
<div class="row"><span class="${statusClass(message.status)}">${escapeHtml(message.status)}</span>
<span class="soft">${message.receipts.map(receipt).join(' → ') || 'no receipt yet'}</span></div>
<div class="soft"><code>${escapeHtml(wamid)}</code>${callbackData === undefined ? '' : `<br>callback data <code>${escapeHtml(callbackData)}</code>`}</div>
${answer(message, state.hasStopped(message.waba_id, to))}
</article>`;
}

const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/** What the recipient can do: write a text, and stop or resume marketing. */
function answer({ to, waba_id, phone_number_id }: SandboxMessage, hasStopped: boolean): string {
  const recipient = `/control/recipients/${encodeURIComponent(to)}`;
  return `<div class="row">
<form data-json action="${recipient}/messages">${hidden('phone_number_id', phone_number_id)}
<input name="text" required aria-label="Reply as +${escapeHtml(to)}" placeholder="Reply as +${escapeHtml(to)}"> <button>Reply</button></form>
<form data-json action="${recipient}/preference">${hidden('waba_id', waba_id)}${hidden('value', hasStopped ? 'resume' : 'stop')}
<button>${hasStopped ? 'Resume' : 'Stop'} marketing</button></form></div>`;
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

function button(label: string): string {
  return `<div class="button">${escapeHtml(label)}</div>`;
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

function clockTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
