/** One time at which the provider took a message. Times in Unix milliseconds. */
export interface Taking {
  at: number;
  /** Whether an answer was sent; not whether anybody lived to read it. */
  answered: boolean;
  /** Whether its receipts are delivered or were suppressed. */
  receipted: boolean;
  /** When the service first answered a delivery with one of its receipts with 200. */
  heardAt: number | null;
}

/** What the client and the provider know of a run, by message log id: what the verdict holds against the service. */
export class Journal {
  /** When the request began that was answered with 202. */
  readonly accepted = new Map<number, number>();
  readonly takings = new Map<number, Taking[]>();
  /** Refused by the provider for good. */
  readonly refused = new Set<number>();
  /** The statuses of receipts that were answered with 200. */
  readonly heard = new Map<number, Set<string>>();
  /** Answers that no client should ever see. */
  readonly surprises: string[] = [];
  private waiting: { since: number; resolve: (at: number) => void }[] = [];

  accept(id: number, startedAt: number): void {
    this.accepted.set(id, startedAt);
    this.noteSuccess(id);
  }

  take(id: number, taking: Taking): void {
    this.takings.set(id, [...(this.takings.get(id) ?? []), taking]);
    this.noteSuccess(id);
  }

  hear(id: number, status: string, taking: Taking): void {
    taking.heardAt ??= Date.now();
    this.heard.set(id, (this.heard.get(id) ?? new Set()).add(status));
  }

  /** Resolves with the time at which a message is both accepted and taken whose request began after `since`. */
  nextSuccess(since: number): Promise<number> {
    return new Promise((resolve) => this.waiting.push({ since, resolve }));
  }

  private noteSuccess(id: number): void {
    const startedAt = this.accepted.get(id);
    if (startedAt === undefined || !this.takings.has(id)) return;
    const successful = this.waiting.filter(({ since }) => startedAt > since);
    this.waiting = this.waiting.filter((waiter) => !successful.includes(waiter));
    for (const { resolve } of successful) resolve(Date.now());
  }
}
