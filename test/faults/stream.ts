import { setTimeout as delay } from 'node:timers/promises';
import type { Journal } from './journal.js';
import type { SeededRandom } from './seeded-random.js';

/** A process of the service that answers now. */
export interface Target {
  name: string;
  url: string;
}

export interface StreamOptions {
  targets: () => Target[];
  apiKey: string;
  messagingAccountIds: string[];
  /** Messages a second. */
  rate: number;
}

/** The most requests under way; with more, the stream waits, as a client would. */
const MAX_UNDER_WAY = 200;

/**
 * The most seconds' messages that may be accepted and not sent: with more, the stream waits. On a machine that is too slow
 * for the rate, calls would otherwise end by their time limit, be repeated, and make it slower still.
 */
const MAX_BACKLOG = 20;

/** Milliseconds after which the stream checks again how many messages the rate allows. */
const TICK = 20;

/** Milliseconds for an answer. */
const PATIENCE = 10_000;

/** Statuses after which the documentation tells clients to repeat the request with the same key. */
const REPEATABLE = new Set([409, 503]);

/** How often the pause before the next try of a request doubles. */
const MAX_DOUBLINGS = 2;

/** The part of the requests that are repeated although they were answered, and have to get the same answer. */
const REPEATED = 0.03;

interface Answer {
  status: number;
  text: string;
  /** The name of the process. */
  by: string;
}

/** A steady stream of sends, each repeated with its Idempotency-Key until it is answered for good. */
export class Stream {
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;
  private running: Promise<void> | undefined;
  private rate: number;
  /** Messages begun so far. */
  begun = 0;
  /** Requests without an answer, or answered with 503, which are repeated with the same key. */
  unanswered = 0;
  refusals = 0;

  constructor(
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    private readonly options: StreamOptions,
  ) {
    this.rate = options.rate;
  }

  start(): void {
    this.running = this.run();
  }

  /** Begins only so many messages a second from now on. */
  slowDown(rate: number): void {
    this.rate = rate;
  }

  /** Begins no more messages, and resolves when all requests are answered. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.underWay);
  }

  private async run(): Promise<void> {
    let credit = 0;
    let last = Date.now();
    while (!this.stopped) {
      const now = Date.now();
      // At most one second's messages are made up for after an outage, so that the stream is not a flood.
      credit = Math.min(this.rate, credit + ((now - last) * this.rate) / 1000);
      last = now;
      for (; credit >= 1 && this.hasRoom(); credit -= 1) this.begin();
      await delay(TICK);
    }
  }

  private hasRoom(): boolean {
    return this.underWay.size < MAX_UNDER_WAY && this.journal.backlog < MAX_BACKLOG * this.options.rate;
  }

  private begin(): void {
    this.begun += 1;
    const work = this.send(this.begun).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private async send(ordinal: number): Promise<void> {
    const key = `message-${ordinal}`;
    const body = this.body(ordinal);
    for (let tries = 0; ; tries += 1) {
      const startedAt = Date.now();
      const answer = await this.post(key, body);
      if (answer?.status === 202) return this.accepted(key, body, answer, startedAt);
      if (answer?.status === 503) this.refusals += 1;
      if (answer && !REPEATABLE.has(answer.status)) {
        this.journal.surprises.push(`${key}: ${answer.status} ${answer.text}`);
        return;
      }
      // Longer and longer, as clients do: those who hammer keep busy what has to come back.
      await delay(this.random.between(50, 250) * 2 ** Math.min(tries, MAX_DOUBLINGS));
    }
  }

  private async accepted(key: string, body: string, answer: Answer, startedAt: number): Promise<void> {
    const id = idOf(answer);
    this.journal.accept(id, startedAt, answer.by);
    const again = this.random.chance(REPEATED) ? await this.post(key, body) : null;
    if (again?.status === 202 && idOf(again) !== id)
      this.journal.surprises.push(`${key}: two messages, ${id} and ${idOf(again)}`);
  }

  private async post(key: string, body: string): Promise<Answer | null> {
    const targets = this.options.targets();
    if (targets.length === 0) return null;
    const headers = {
      Authorization: `Bearer ${this.options.apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) };
    const { name, url } = this.random.pick(targets);
    try {
      const response = await fetch(`${url}/api/v1/messages/send`, request);
      return { status: response.status, text: await response.text(), by: name };
    } catch {
      this.unanswered += 1; // the process has died, or the answer was lost
      return null;
    }
  }

  /** Each message has a recipient of its own, as the limit for one recipient is not tested here. */
  private body(ordinal: number): string {
    const { messagingAccountIds } = this.options;
    return JSON.stringify({
      messaging_account_id: messagingAccountIds[ordinal % messagingAccountIds.length],
      phone: `+97150${String(ordinal).padStart(7, '0')}`,
      message_type: 'template',
      auto_retry_on_frequency_cap: ordinal % 2 === 0,
      data: {
        name: 'order_update',
        components: [{ type: 'body', parameters: [{ type: 'text', text: String(ordinal) }] }],
      },
    });
  }
}

function idOf(answer: Answer): number {
  return (JSON.parse(answer.text) as { data: { message_log_id: number } }).data.message_log_id;
}
