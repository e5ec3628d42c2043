import type { DatabaseFacts } from './facts.js';
import type { Journal, Taking } from './journal.js';
import type { Death } from './processes.js';
import { type Violation, violation } from './violation.js';

export interface Verdict {
  accepted: number;
  takenOnce: number;
  takenTwice: number;
  /** How many of `takenTwice` are permitted, as the provider sent neither answer nor receipt the first time. */
  twicePermitted: number;
  /** How many messages the provider refused for good and never took. */
  refused: number;
  violations: Violation[];
  /** Whether there is no violation. */
  holds: boolean;
}

const ENDED_BADLY: ReadonlySet<Death['kind']> = new Set(['crashed', 'stopped badly']);

interface Circumstances {
  deaths: Death[];
  ledgerDifferences: number[];
  window: number;
  /** What was found besides, such as in the stream of events. */
  further?: Violation[];
}

/** Judges the service after a run in which everything has ended. */
export function judge(
  journal: Journal,
  facts: DatabaseFacts,
  { deaths, ledgerDifferences, window, further = [] }: Circumstances,
): Verdict {
  const ids = [...journal.accepted.keys()];
  const takings = (id: number) => journal.takings.get(id) ?? [];
  const twice = [...journal.takings].filter(([, times]) => times.length > 1);
  const earlier = (times: Taking[]) => times.slice(0, -1);
  const noisy = twice.filter(([, times]) => !earlier(times).every(isSilent));
  const told = noisy.filter(([, times]) => earlier(times).some((taking) => wasHeard(taking, window)));
  const untold = noisy.filter((message) => !told.includes(message));
  const violations = [
    violation(
      'accepted, never taken',
      ids.filter((id) => takings(id).length === 0 && !journal.refused.has(id)),
    ),
    violation('taken again although a receipt got through in time', told.map(describe)),
    violation('taken again because no receipt got through in time', untold.map(describe)),
    violation('taken or stored, but never accepted', strangers(journal, facts)),
    violation(
      'accepted, not at its end',
      ids.filter((id) => !isEnded(facts.statuses.get(id))),
    ),
    violation('told by a receipt that was answered with 200, and not shown', forgotten(journal, facts)),
    violation('answers that no client should see', journal.surprises),
    violation(
      'processes that crashed or did not stop in time',
      deaths
        .filter(({ kind }) => ENDED_BADLY.has(kind))
        .map(({ process, kind, at, how }) => `${process} ${kind} (${how}) at ${new Date(at).toISOString()}`),
    ),
    violation(
      'times at which the ledger was out of balance',
      ledgerDifferences.filter((difference) => difference !== 0),
    ),
    { what: 'messages that the outbox has lost or kept', count: facts.misplaced, examples: [] },
    { what: 'webhook deliveries put aside', count: facts.parked, examples: [] },
    { what: 'capped messages without their retry', count: facts.cappedWithoutRetry, examples: [] },
    ...further,
  ];
  return {
    accepted: ids.length,
    takenOnce: ids.filter((id) => takings(id).length === 1).length,
    takenTwice: twice.length,
    twicePermitted: twice.length - noisy.length,
    refused: ids.filter((id) => takings(id).length === 0 && journal.refused.has(id)).length,
    violations,
    holds: violations.every(({ count }) => count === 0),
  };
}

/** Whether a receipt was accepted within the window, in seconds, counted from when the message was taken. */
const wasHeard = ({ at, heardAt }: Taking, window: number) =>
  heardAt !== null && heardAt <= at + window * 1000;

const isSilent = ({ answered, receipted }: Taking) => !answered && !receipted;

const isEnded = (status: string | undefined) =>
  status !== undefined && ['sent', 'delivered', 'read', 'failed'].includes(status);

/** The statuses that a message may be shown with when a receipt of this one was heard. */
const SHOWN: Record<string, readonly string[]> = { delivered: ['delivered', 'read'], read: ['read'] };

/** Messages that no request got as its answer. All are repeated until they get a 202, so these were accepted twice. */
function strangers({ accepted, takings }: Journal, { statuses }: DatabaseFacts): number[] {
  return [...new Set([...takings.keys(), ...statuses.keys()])].filter((id) => !accepted.has(id));
}

/** Receipts whose status is not shown. `delivered` and `read` win over `failed` when a message was taken twice. */
function forgotten({ heard }: Journal, { statuses }: DatabaseFacts): string[] {
  return [...heard].flatMap(([id, told]) => {
    const status = statuses.get(id) ?? 'missing';
    const weightiest = ['read', 'delivered', 'failed'].find((one) => told.has(one));
    const isShown = weightiest === undefined || (SHOWN[weightiest] ?? [weightiest]).includes(status);
    return isShown ? [] : [`${id} ${[...told].join('+')} ${status}`];
  });
}

/** A message with what the provider did each time, in milliseconds since the first. */
function describe([id, takings]: [number, Taking[]]): string {
  const start = takings[0]?.at ?? 0;
  const times = takings.map(({ at, answered, receipted, heardAt }) => {
    const heard = heardAt === null ? 'never' : `at ${heardAt - start}`;
    return `${at - start} (${answered ? 'answered' : 'no answer'}, receipts ${receipted ? `heard ${heard}` : 'suppressed'})`;
  });
  return `${id}: ${times.join(', ')}`;
}
