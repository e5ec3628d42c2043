import { HttpConnection } from './http-connection.js';

/** Gives the time from which the next request counts (`performance.now()`), or null when none may start now. */
export type Gate = () => number | null;

/** Always lets the next request start, as soon as a connection is free. */
export const closedLoop: Gate = () => performance.now();

/** So many requests a second, however slow the answers are. Each counts from when it was due, though it had to wait. */
export function atRate(perSecond: number): Gate {
  let due = performance.now();
  return () => {
    if (performance.now() < due) return null;
    const since = due;
    due += 1000 / perSecond;
    return since;
  };
}

/** Lets requests start while fewer than `limit` messages are under way after their answers. */
export function atMost(limit: number, underWay: () => number): Gate {
  return () => (underWay() < limit ? performance.now() : null);
}

export interface LoadOptions {
  /** The processes that share the load. */
  urls: string[];
  connections: number;
  seconds: number;
  gate?: Gate;
  /** The next request; null when there is none left. */
  next: () => string | null;
  /** The status, or statuses, that are no fault. */
  expected: number | readonly number[];
  onAnswer?: (body: Buffer, since: number, status: number) => void;
}

export interface LoadResult {
  answers: number;
  /** Seconds from the first request to the last answer. */
  seconds: number;
  /** Milliseconds that each request took. */
  latencies: number[];
  faults: string[];
}

/** Milliseconds after which a closed gate is asked again. */
const TICK = 1;

/** The number of faults that are reported; the others are like them. */
const TOLD = 5;

/** Sends requests until the time is over or none is left, and resolves when all are answered. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { urls, connections } = options;
  const opening = Array.from({ length: connections }, (_, i) =>
    HttpConnection.open(urls[i % urls.length] as string),
  );
  const opened = await Promise.all(opening);
  try {
    return await new Run(options, opened).go();
  } finally {
    for (const connection of opened) connection.close();
  }
}

class Run {
  private readonly idle: HttpConnection[];
  private readonly latencies: number[] = [];
  private readonly faults: string[] = [];
  private readonly expected: readonly number[];
  private underWay = 0;
  private isOver = false;
  private readonly startedAt = performance.now();
  private finish: () => void = () => undefined;

  constructor(
    private readonly options: LoadOptions,
    opened: HttpConnection[],
  ) {
    this.idle = [...opened];
    this.expected = [options.expected].flat();
  }

  async go(): Promise<LoadResult> {
    const { seconds, gate } = this.options;
    const finished = new Promise<void>((resolve) => (this.finish = resolve));
    const deadline = setTimeout(() => this.end(), seconds * 1000);
    const timer = gate && setInterval(() => this.pump(), TICK);
    this.pump();
    await finished;
    clearTimeout(deadline);
    clearInterval(timer);
    const elapsed = (performance.now() - this.startedAt) / 1000;
    const { latencies, faults } = this;
    return { answers: latencies.length, seconds: elapsed, latencies, faults };
  }

  private pump(): void {
    while (this.idle.length > 0 && !this.isOver) {
      const since = (this.options.gate ?? closedLoop)();
      if (since === null) return;
      const request = this.options.next();
      if (request === null) return this.end();
      this.send(this.idle.shift() as HttpConnection, request, since);
    }
  }

  private send(connection: HttpConnection, request: string, since: number): void {
    this.underWay += 1;
    connection.request(request, (error, status, body) => {
      this.underWay -= 1;
      if (!error && this.expected.includes(status)) {
        this.latencies.push(performance.now() - since);
        this.options.onAnswer?.(body, since, status);
      } else if (this.faults.length < TOLD) {
        this.faults.push(error ? error.message : `${status}: ${body.toString().slice(0, 200)}`);
      }
      // A run with a fault is not used, so there is no need to go on.
      if (error || this.faults.length > 0) return this.end();
      this.idle.push(connection);
      this.pump();
      if (this.isOver && this.underWay === 0) this.finish();
    });
  }

  private end(): void {
    this.isOver = true;
    if (this.underWay === 0) this.finish();
  }
}
