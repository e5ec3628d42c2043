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

const STYLE = `
:root { color-scheme: light dark; --page: #efeae2; --card: #fff; --bubble: #d9fdd3; --ink: #111b21; --soft: #667781; --line: #e3e0da; --accent: #00795f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --page: #0b141a; --card: #17222a; --bubble: #0b4a3d; --ink: #e9edef; --soft: #9aa7af; --line: #25323a; --accent: #3fcfa4; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line); padding: .8rem 1rem; display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); } code { font-size: .92em; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 1rem auto; padding: 0 1rem 3rem; }
.soft { color: var(--soft); font-size: .85rem; } .bad { color: var(--bad); } .good { color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; margin: 0 0 .8rem; }
.row { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; }
.bubble { background: var(--bubble); border-radius: 10px; padding: .55rem .75rem; margin: .5rem 0; max-width: 34rem; overflow-wrap: anywhere; }
.bubble p { margin: .2rem 0; white-space: pre-wrap; } .bubble .button { border-top: 1px solid var(--line); padding-top: .3rem; margin-top: .4rem; text-align: center; color: var(--accent); }
table { border-collapse: collapse; width: 100%; background: var(--card); } td, th { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; }
`;

/** A self-contained page; `main` is HTML. Pages that `refresh` load themselves again every two seconds. */
export function htmlPage(title: string, links: string, main: string, refresh = false): string {
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
<header><h1>${escapeHtml(title)}</h1>${links}</header>
<main>${main}</main>
${refresh ? `<script>${REFRESH}</script>` : ''}
</body>
</html>
`;
}

/**
 * Replaces only the list: a reload of the page would lose the reader's selection and scroll position. Forms are sent as JSON,
 * which no page of another site can do.
 */
const REFRESH = `
setInterval(async () => {
  if (document.hidden || String(getSelection()) || document.activeElement.value) return;
  try {
    const page = await (await fetch(location.href, { headers: { accept: 'text/html' } })).text();
    const main = new DOMParser().parseFromString(page, 'text/html').querySelector('main');
    if (main && main.innerHTML !== document.querySelector('main').innerHTML) document.querySelector('main').replaceWith(main);
  } catch { /* the sandbox is down: the next round tries again */ }
}, 2000);
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('[data-json]')) return;
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const answer = await fetch(form.action, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) return alert((await answer.json()).error.message);
  form.reset();
  document.activeElement.blur();
});
`;
