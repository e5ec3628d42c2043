import { describe, expect, it } from '@jest/globals';
import { InFlight } from './in-flight.js';

/** An instance that has finished enough work to be at its limit. */
function warm(limit: number): InFlight {
  const inFlight = new InFlight(limit);
  for (let done = 0; done < limit; done += 1) {
    inFlight.enter(0, 1);
    inFlight.finish(0);
  }
  return inFlight;
}

describe('InFlight', () => {
  it('begins with little room, and grows by one for each message that is done, up to its limit', () => {
    const inFlight = new InFlight(100);
    expect(inFlight.enter(1, 1_000)).toBe(16);
    for (let done = 0; done < 16; done += 1) inFlight.finish(1);
    expect(inFlight.enter(1, 1_000)).toBe(24);
    inFlight.leave(1, 24); // never begun
    expect(inFlight.roomFor(1)).toBe(24);
    expect(warm(100).roomFor(1)).toBe(50);
  });

  it('gives a number half of the room that is free, so that others have room too', () => {
    const inFlight = warm(900);
    expect(inFlight.enter(1, 10_000)).toBe(450);
    expect(inFlight.roomFor(1)).toBe(0);
    expect(inFlight.enter(2, 10_000)).toBe(225);
    inFlight.leave(1, 200);
    expect([inFlight.roomFor(1), inFlight.roomFor(2), inFlight.roomFor(3)]).toEqual([88, 100, 213]);
  });

  it.each([1, 2, 3])('lets work go on with a limit of %i', (limit) => {
    const inFlight = new InFlight(limit);
    expect(inFlight.enter(1, 5)).toBeGreaterThan(0);
    inFlight.leave(1, 1);
    expect(inFlight.roomFor(2)).toBeGreaterThan(0);
  });

  it('ends when the work under way has ended', async () => {
    const inFlight = new InFlight(10);
    inFlight.enter(1, 2);
    let ended = false;
    const end = inFlight.close(60_000).then(() => (ended = true));
    inFlight.leave(1, 1);
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    inFlight.leave(1, 1);
    await end;
  });
});
