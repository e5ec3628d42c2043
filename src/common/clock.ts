/** The time, injected wherever a rule depends on it, so that tests can move it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
