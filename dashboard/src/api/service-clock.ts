let ahead = 0;

/** Unix milliseconds by the service's clock: a sandbox's may have been moved ahead of the browser's. */
export function serviceNow(): number {
  return Date.now() + ahead;
}

/** @param milliseconds as the service says it with the session */
export function setAhead(milliseconds: number): void {
  ahead = milliseconds;
}
