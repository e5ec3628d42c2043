import { durationText, type SandboxClock } from './sandbox-clock.js';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that may stand anywhere in HTML, attributes in quotes included. */
export function escapeHtml(text: unknown): string {
  return String(text ?? '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** An ISO 8601 time for people, in HTML. */
export function clockTime(iso: string): string {
  const shown = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(shown)}</time>`;
}

export const hiddenField = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/**
 * A button that posts the fields as JSON to a path of `/control`.
 * @param isPressed of a button that is one of a choice
 */
export function formButton(
  path: string,
  fields: Record<string, string>,
  label: string,
  isPressed?: boolean,
): string {
  const hidden = Object.entries(fields).map(([name, value]) => hiddenField(name, value));
  const pressed = isPressed === undefined ? '' : ` aria-pressed="${isPressed}"`;
  return `<form data-json action="${path}">${hidden.join('')}<button${pressed}>${escapeHtml(label)}</button></form>`;
}

const STYLE = `
:root { color-scheme: light dark; --page: #efeae2; --card: #fff; --bubble: #d9fdd3; --ink: #111b21; --soft: #5b6a73; --line: #e3e0da; --accent: #006d55; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --page: #0b141a; --card: #17222a; --bubble: #0b4a3d; --ink: #e9edef; --soft: #9aa7af; --line: #25323a; --accent: #3fcfa4; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--line); padding: .8rem 1rem; display: flex; gap: .4rem 1.2rem; align-items: baseline; flex-wrap: wrap; }
nav { display: flex; gap: 1rem; flex-wrap: wrap; }
h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); } a.plain { color: inherit; text-decoration: none; } a.plain:hover { text-decoration: underline; }
code { font-size: .92em; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 1rem auto; padding: 0 1rem 3rem; }
.soft { color: var(--soft); font-size: .85rem; } .bubble .soft { color: inherit; opacity: .8; } .bad { color: var(--bad); } .good { color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; margin: 0 0 .8rem; }
.row { display: flex; justify-content: space-between; gap: .4rem 1rem; flex-wrap: wrap; align-items: center; } .row.left { justify-content: flex-start; }
.bubble { background: var(--bubble); border-radius: 10px; padding: .55rem .75rem; margin: .5rem 0; max-width: 34rem; overflow-wrap: anywhere; }
.bubble p { margin: .2rem 0; white-space: pre-wrap; } .bubble .button { border-top: 1px solid var(--line); padding-top: .3rem; margin-top: .4rem; text-align: center; color: var(--accent); }
.bubble.reply { background: var(--page); margin-left: auto; width: fit-content; }
form { display: inline-flex; gap: .4rem; flex-wrap: wrap; align-items: center; } .row > form { margin-top: .5rem; } .row.left { margin: .6rem 0; } .row.left > form { margin: 0; }
button, input { font: inherit; color: inherit; border: 1px solid var(--soft); border-radius: 8px; padding: .25rem .7rem; background: var(--card); }
button { cursor: pointer; color: var(--accent); border-color: var(--accent); } button:disabled { opacity: .6; } [aria-pressed="true"] { background: var(--accent); color: var(--card); }
.bubble .button button { width: 100%; min-width: 10rem; }
summary { cursor: pointer; } pre { overflow-x: auto; font-size: .8rem; background: var(--page); padding: .6rem; border-radius: 8px; }
p.moved { background: #ffe8b3; color: #4d3800; border-radius: 8px; padding: .4rem .8rem; } p.moved a { color: inherit; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
table { border-collapse: collapse; width: 100%; background: var(--card); } td, th { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; }
`;

const PAGES: [path: string, label: string][] = [
  ['/inbox', 'Inbox'],
  ['/events', 'Pushed events'],
  ['/clock', 'Clock'],
  ['/', 'All endpoints'],
];

/**
 * A self-contained page; `main` is HTML. It says so where the clock was moved. Pages that `refresh` load themselves again
 * every two seconds.
 */
export function htmlPage(title: string, main: string, clock: SandboxClock, { refresh = false } = {}): string {
  const moved =
    clock.ahead > 0
      ? `<p class="moved">The clock is ${durationText(clock.ahead)} ahead (<a href="/clock">Clock</a>).</p>`
      : '';
  const links = PAGES.map(([path, label]) => `<a href="${path}">${label}</a>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><nav>${links}</nav></header>
<main>${moved}${main}</main>
<script>${FORMS}${refresh ? REFRESH : ''}</script>
</body>
</html>
`;
}

/**
 * Forms are sent as JSON, which no page of another site can do. `show` loads the list anew, and only that: a reload of the
 * page would lose the reader's place and what is unfolded.
 */
const FORMS = `
async function show() {
  const page = await (await fetch(location.href, { headers: { accept: 'text/html' } })).text();
  const main = new DOMParser().parseFromString(page, 'text/html').querySelector('main');
  const shown = document.querySelector('main');
  for (const { id } of shown.querySelectorAll('details[open]')) main.querySelector('#' + id)?.setAttribute('open', '');
  if (main.innerHTML !== shown.innerHTML) shown.replaceWith(main);
}
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('[data-json]')) return;
  event.preventDefault();
  const button = form.querySelector('button');
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { error } = await answer.json();
    if (error) return alert(error.error_data?.details ?? error.message);
    form.reset();
    await show();
  } catch {
    alert('The sandbox does not answer.');
  } finally {
    button.disabled = false;
  }
});
`;

/** Not while somebody reads a selection or writes. */
const REFRESH = `
const isWriting = () => [...document.querySelectorAll('main input:not([type=hidden])')].some(({ value }) => value);
setInterval(() => {
  if (document.hidden || String(getSelection()) || isWriting()) return;
  show().catch(() => { /* the sandbox is down: the next round tries again */ });
}, 2000);
`;
