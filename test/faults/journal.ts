/** One time at which the provider took a message. Times in Unix milliseconds. */
export interface Taking {
  at: number;
  /** Whether an answer was sent; the process may have died before it read it. */
  answered: boolean;
  /** Whether its receipts are delivered, not suppressed. */
  receipted: boolean;
  /** When the service first answered 200 to a delivery that had one of its receipts. */
  heardAt: number | null;
}

/** What the client and the provider know of a run, by message log id. The verdict compares the service with it. */
export class Journal {
  /** The time at which the request began that was answered with 202. */
  readonly accepted = new Map<number, number>();
  readonly takings = new Map<number, Taking[]>();
  /** The messages that the provider has refused for good. */
  readonly refused = new Set<number>();
  /** The statuses of receipts that were answered with 200. */
  readonly heard = new Map<number, Set<string>>();
  /** Answers that no client should ever see. */
  readonly surprises: string[] = [];
  /** The process that answered with 202. */
  private readonly acceptedBy = new Map<number, string>();
  /** The accepted messages that the provider has neither taken nor refused for good. */
  private readonly untaken = new Set<number>();
  private waiting: { since: number; by: string | undefined; resolve: (at: number) => void }[] = [];

  accept(id: number, startedAt: number, by: string): void {
    this.accepted.set(id, startedAt);
    this.acceptedBy.set(id, by);
    if (!this.takings.has(id) && !this.refused.has(id)) this.untaken.add(id);
    this.noteSuccess(id);
  }

  take(id: number, taking: Taking): void {
    this.takings.set(id, [...(this.takings.get(id) ?? []), taking]);
    this.untaken.delete(id);
    this.noteSuccess(id);
  }

  /** The provider refuses it for good. */
  refuse(id: number): void {
    this.refused.add(id);
    this.untaken.delete(id);
  }

  /** The largest id of an accepted message; 0 before the first. */
  get lastAccepted(): number {
    return [...this.accepted.keys()].reduce((most, id) => Math.max(most, id), 0);
  }

  /** How many accepted messages are still to be sent. */
  get backlog(): number {
    return this.untaken.size;
  }

  hear(id: number, status: string, taking: Taking): void {
    taking.heardAt ??= Date.now();
    this.heard.set(id, (this.heard.get(id) ?? new Set()).add(status));
  }

  /**
   * Resolves when a message whose request began after `since` is both accepted and taken.
   * @param by the process that has to accept it; whichever if not given
   * @returns this time
   */
  nextSuccess(since: number, by?: string): Promise<number> {
    return new Promise((resolve) => this.waiting.push({ since, by, resolve }));
  }

  private noteSuccess(id: number): void {
    const startedAt = this.accepted.get(id);
    if (startedAt === undefined || !this.takings.has(id)) return;
    const acceptedBy = this.acceptedBy.get(id);
    const successful = this.waiting.filter(
      ({ since, by }) => startedAt > since && (by === undefined || by === acceptedBy),
    );
    this.waiting = this.waiting.filter((waiter) => !successful.includes(waiter));
    for (const { resolve } of successful) resolve(Date.now());
  }
}
