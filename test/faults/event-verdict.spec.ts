import { describe, expect, it } from '@jest/globals';
import { type EventFacts, judgeEvents } from './event-verdict.js';
import type { ToldEvent } from './told-event.js';

const HISTORIES = [
  ['sent', 'delivered', 'read'],
  ['outcome_unknown', 'read', 'sent', 'delivered'],
  ['failed'],
  ['retry', 'sent', 'sent_again', 'failed'],
  ['failed', 'sent'],
  ['canceled'],
  ['canceled', 'delivered'],
  ['failed', 'late_answer', 'read'],
  ['delivered', 'failed'],
  [],
];
const LIVES = [
  'accepted sent delivered read',
  'accepted sent delivered read',
  'accepted failed',
  'accepted sent failed',
  'accepted failed',
  'accepted canceled',
  'accepted canceled delivered',
  'accepted failed delivered read',
  'accepted sent delivered',
  'accepted',
];

let entry = 0;

const event = (type: string, message: number | null, retry: number | null = null): ToldEvent => ({
  id: `evt_${(entry += 1)}_1`,
  type,
  message,
  retry,
});

/** A run whose stream is as the records say, with a message that is repeated after the cap, and something else. */
function soundRun(): EventFacts {
  const messages = HISTORIES.map((history, id) => ({ id, retry: null, history }));
  const told = LIVES.flatMap((life, id) => life.split(' ').map((type) => event(`message.${type}`, id)));
  const capped = { id: 100, retry: 101, history: ['sent', 'failed'] };
  const repeating = { id: 101, retry: null, history: [] };
  const ofCapped = ['accepted', 'sent', 'failed'].map((type) => event(`message.${type}`, 100));
  const retried = event('message.retried', 100, 101);
  const alert = event('account.alert', null);
  return {
    messages: [...messages, capped, repeating],
    told: [...told, ...ofCapped, retried, event('message.accepted', 101), alert],
  };
}

/** What is found, as it is called. */
const findings = (facts: EventFacts, seen: ToldEvent[] = facts.told) =>
  judgeEvents(facts, [
    { name: 'one', seen: facts.told },
    { name: 'another', seen },
  ])
    .filter(({ count }) => count > 0)
    .map(({ what }) => what);

const OF_RECORD = 'messages whose events are not those of their record';

describe('The verdict on the stream of events', () => {
  const run = soundRun();
  const places = run.told.map((_, place) => place);
  const ofMessages = places.filter((place) => run.told[place]!.message !== null);

  it('finds nothing where each message has the life of its record, and everybody has all of it', () => {
    expect(findings(run)).toEqual([]);
  });

  it('finds each event of a message that is not in the stream, or is there once more', () => {
    for (const place of ofMessages) {
      const again = { ...run.told[place]!, id: 'evt_9999_1' };
      for (const told of [run.told.toSpliced(place, 1), run.told.toSpliced(place, 0, again)])
        expect([place, ...findings({ ...run, told })]).toEqual([place, OF_RECORD]);
    }
  });

  it('finds events of a message in another order, of another message, and a wrong retry', () => {
    const swapped = run.told.toSpliced(1, 2, run.told[2]!, run.told[1]!);
    expect(findings({ ...run, told: swapped })).toEqual([OF_RECORD]);
    const stranger = event('message.accepted', 5_000);
    expect(findings({ ...run, told: [...run.told, stranger] })).toEqual([
      'events of messages without a record',
    ]);
    const told = run.told.map((one) => (one.retry === null ? one : { ...one, retry: 7 }));
    expect(findings({ ...run, told })).toEqual([OF_RECORD]);
  });

  it('finds each event that one who listens does not get, gets twice, or gets changed', () => {
    const { told } = run;
    const [missing, twice, unknown] = [
      'events that did not come to somebody',
      'events that came to somebody twice',
      'events that came to somebody and are not in the stream',
    ];
    for (const place of places) {
      const one = told[place]!;
      const found = (seen: ToldEvent[]) => [place, ...findings(run, seen)];
      expect(found(told.toSpliced(place, 1))).toEqual([place, missing]);
      expect(found(told.toSpliced(place, 0, one))).toEqual([place, twice]);
      expect(found(told.toSpliced(place, 1, { ...one, type: 'message.odd' }))).toEqual([
        place,
        missing,
        unknown,
      ]);
    }
  });

  it('finds each event that somebody gets before the one before it', () => {
    const { told } = run;
    for (const place of places.slice(1)) {
      const seen = told.toSpliced(place - 1, 2, told[place]!, told[place - 1]!);
      const disorder = 'listeners who had the events in another order';
      expect([place, ...findings(run, seen)]).toEqual([place, disorder]);
    }
  });
});
