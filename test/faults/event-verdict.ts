import type { ToldEvent } from './told-event.js';
import { type Violation, violation } from './violation.js';

/** A message as PostgreSQL has it at the end. */
export interface MessageRecord {
  id: number;
  /** The message that repeats it after the provider's cap; null where there is none. */
  retry: number | null;
  /** The names of its history, in their order, without the receipts of another copy. */
  history: string[];
}

export interface EventFacts {
  messages: MessageRecord[];
  /** The stream as PostgreSQL has it. */
  told: ToldEvent[];
}

/** Somebody who was told of events during the run, and all that came to them, in its order. */
export interface Listener {
  name: string;
  seen: readonly ToldEvent[];
}

/**
 * Judges the stream of events after a run: of each message it has exactly the life that its record tells, and everybody who
 * followed it got all of it, once and in its order.
 */
export function judgeEvents({ messages, told }: EventFacts, listeners: Listener[]): Violation[] {
  const lives = new Map(messages.map(({ id }) => [id, [] as ToldEvent[]]));
  const strangers: string[] = [];
  for (const event of told) {
    if (event.message === null) continue;
    const life = lives.get(event.message);
    if (life) life.push(event);
    else strangers.push(keyOf(event));
  }
  const faults = listeners.flatMap(({ name, seen }) =>
    faultsOf(told, seen).map(({ fault, event }) => ({ fault, what: `${event} to ${name}` })),
  );
  return [
    violation(
      'messages whose events are not those of their record',
      messages.flatMap((message) => faultOf(message, lives.get(message.id) ?? [])),
    ),
    violation('events of messages without a record', strangers),
    ...FAULTS.map((kind) =>
      violation(
        kind,
        faults.flatMap(({ fault, what }) => (fault === kind ? what : [])),
      ),
    ),
  ];
}

function faultOf(message: MessageRecord, events: ToldEvent[]): string[] {
  const wanted = lifeOf(message).join(', ');
  const told = events.map(({ type, retry }) => nameOf(type, retry)).join(', ');
  return told === wanted ? [] : [`${message.id}: ${told || 'nothing'}, and not ${wanted}`];
}

const nameOf = (type: string, retry: number | null) =>
  `${type.replace('message.', '')}${retry === null ? '' : ` as ${retry}`}`;

/** What there has to be told of a message, by what its record says has happened to it. */
function lifeOf({ retry, history }: MessageRecord): string[] {
  const life = ['accepted'];
  const has = (...types: string[]) => types.some((type) => life.includes(type));
  const pass = (type: string, ...ends: string[]) => !has(type, ...ends) && life.push(type);
  for (const what of history) {
    if (what === 'sent') pass('sent', 'failed', 'canceled', 'delivered');
    if (what === 'canceled') pass('canceled', 'sent', 'failed', 'delivered');
    if (what === 'failed' && pass('failed', 'canceled', 'delivered') && retry !== null)
      life.push(nameOf('retried', retry));
    if (what === 'delivered' || what === 'read') {
      pass('sent', 'failed', 'canceled', 'delivered');
      pass('delivered');
    }
    if (what === 'read') pass('read');
  }
  return life;
}

const FAULTS = [
  'events that did not come to somebody',
  'events that came to somebody twice',
  'events that came to somebody and are not in the stream',
  'listeners who had the events in another order',
] as const;
const [MISSING, TWICE, UNKNOWN, DISORDER] = FAULTS;

interface Fault {
  fault: (typeof FAULTS)[number];
  event: string;
}

/** How what came to somebody differs from the stream. An order is looked at where the events are the same. */
function faultsOf(told: readonly ToldEvent[], seen: readonly ToldEvent[]): Fault[] {
  const wanted = told.map(keyOf);
  const got = seen.map(keyOf);
  const [all, had] = [new Set(wanted), new Set<string>()];
  const faults: Fault[] = [];
  for (const event of got) {
    if (!all.has(event)) faults.push({ fault: UNKNOWN, event });
    else if (had.has(event)) faults.push({ fault: TWICE, event });
    had.add(event);
  }
  for (const event of wanted) if (!had.has(event)) faults.push({ fault: MISSING, event });
  const place = wanted.findIndex((event, i) => event !== got[i]);
  if (faults.length === 0 && place >= 0) faults.push({ fault: DISORDER, event: wanted[place]! });
  return faults;
}

const keyOf = ({ id, type, message, retry }: ToldEvent) =>
  [id, type, message, retry].filter((part) => part !== null).join(' ');
