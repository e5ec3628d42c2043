import { formButton, htmlPage } from './html.js';
import { durationText, type SandboxClock } from './sandbox-clock.js';

const STEPS: [by: string, label: string][] = [
  ['10min', '+10 min'],
  ['1h', '+1 h'],
  ['26h', '+26 h'],
  ['7d', '+7 d'],
  ['31d', '+31 d'],
  ['401d', '+401 d'],
];

/** What the clock shows, and buttons to move it. */
export function clockPage(clock: SandboxClock): string {
  const shown = `${clock.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const ahead = clock.ahead > 0 ? `${durationText(clock.ahead)} ahead of the real time` : 'the real time';
  const main = `<article class="card"><p><strong>${shown}</strong>, ${ahead}</p>${clock.isMovable ? MOVES : FIXED}</article>${NOTES}`;
  return htmlPage('Clock', main, clock, { refresh: true });
}

const MOVES = `<div class="row left">${STEPS.map(([by, label]) => formButton('/control/clock', { forward: by }, label)).join('')}
<form data-json action="/control/clock"><input name="forward" required size="8" aria-label="How far" placeholder="90min"> <button>Move</button></form></div>`;

const FIXED = `<p class="soft">It cannot be moved here: only where "npm start" runs the whole service with a PostgreSQL of its own, so that
nothing is deleted or sent that others wait for.</p>`;

const NOTES = `<h2>What moves</h2>
<p>The service and the sandbox: what is scheduled, retries (also the one 26 hours after 131049), valid_until, holds, webhook endpoints that
wait, limits of a day, and what is deleted for its age. They look at once.</p>
<p>Not: sessions and codes for signing in, signatures of pushed events, how fast numbers may send, and the receipts and reviews of the
sandbox, which take their usual moments.</p>
<h2>The way back</h2>
<p>There is none, and a restart keeps the clock: what was written would lie in the future. Begin anew with an empty data folder
(stop the service, delete <code>.data</code>): it has the real time.</p>`;
