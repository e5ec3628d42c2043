import type { Fault } from './chaos.js';
import type { Report } from './harness.js';

/** The report as a table for people. */
export function printed({ verdict, facts, events, faults, deaths, fates, stream, ...rest }: Report): string {
  const dead = (kind: string) => deaths.filter((death) => death.kind === kind).length;
  return [
    ...table([
      ['messages accepted', verdict.accepted],
      ['taken by the provider once', verdict.takenOnce],
      ['taken more often', verdict.takenTwice],
      ['  answer and receipts suppressed', verdict.twicePermitted],
      ['refused by the provider for good', verdict.refused],
      ['requests that nobody lived to answer', stream.unanswered],
      ['requests answered with 503', stream.refusals],
      ['sent again after an unknown outcome', facts.sentAgain],
      ['answers that came too late', facts.lateAnswers],
      ['faults', faults.length],
      ['processes killed', dead('killed')],
      ['processes that died at a fail point', dead('fail point')],
      ['processes stopped', dead('stopped')],
      ['starts that failed', dead('did not start')],
      ['events told', events.told],
      ['  read again after a restart (times)', events.restarts],
      ['  posted to the endpoint again', events.repeated],
      ['looks at the ledger', rest.ledgerLooks],
      ['seconds for which receipts were waited for', rest.window],
      ['seconds in all', Math.round(rest.seconds)],
    ]),
    '',
    'What the provider did:',
    ...table(Object.entries(fates)),
    '',
    'Seconds from a fault to the next message (times, median, p90, longest):',
    ...table(timesOf(faults, 'recovery')),
    ...takeovers(faults),
    '',
    'What must not be:',
    ...table(verdict.violations.map(({ what, count }) => [what, count])),
    ...verdict.violations.flatMap(({ what, examples }) => examples.map((example) => `  ${what}: ${example}`)),
  ].join('\n');
}

function takeovers(faults: Fault[]): string[] {
  const those = faults.filter(({ sinceTakeover }) => sinceTakeover !== null);
  if (those.length === 0) return [];
  return [
    '',
    'Seconds from a takeover or return to the next message (the same):',
    ...table(timesOf(those, 'nextSent')),
    '',
    'Seconds from a takeover or return until every API had accepted a message that was sent (the same):',
    ...table(timesOf(those, 'sinceTakeover')),
  ];
}

/** How many faults of each kind there were, and the median, the 90th percentile and the longest of their times in seconds. */
function timesOf(faults: Fault[], time: 'recovery' | 'nextSent' | 'sinceTakeover'): [string, string][] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].toSorted();
  const row = (name: string, those: Fault[]): [string, string] => {
    const times = those.flatMap((fault) => fault[time] ?? []).toSorted((a, b) => a - b);
    const p90 = times[Math.ceil(0.9 * times.length) - 1];
    const seconds = [times[Math.floor(times.length / 2)], p90, times.at(-1)].map((each) =>
      ((each ?? 0) / 1000).toFixed(2),
    );
    return [name, [String(those.length), ...seconds].map((cell) => cell.padStart(7)).join('')];
  };
  return [
    ...kinds.map((kind) =>
      row(
        kind,
        faults.filter((fault) => fault.kind === kind),
      ),
    ),
    row('all', faults),
  ];
}

function table(rows: [string, string | number][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(8)}`);
}
