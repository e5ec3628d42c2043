import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';
import type { ReceivedEvent } from '../support/event-receiver.js';
import { SeededRandom } from './seeded-random.js';
import type { Target } from './stream.js';
import { type ToldEvent, toldBy } from './told-event.js';

/** The part of the requests that are refused, and of those that are taken without an answer. */
const REFUSED = 0.01;
const UNANSWERED = 0.01;

/** Milliseconds for an answer of the service. */
const PATIENCE = 10_000;

/** A webhook endpoint of the tenant, which keeps each event at its first arrival, as its `id` tells callers to. */
export class EventEndpoint {
  readonly name = 'the webhook endpoint';
  readonly seen: ToldEvent[] = [];
  /** How many events came again. */
  repeated = 0;
  private readonly ids = new Set<string>();
  private readonly random: SeededRandom;
  private readonly server = createServer((request, response) => void this.receive(request, response));
  private hasFailed = false;
  private isCalm = false;
  private path = '';

  private constructor(
    private readonly targets: () => Target[],
    private readonly apiKey: string,
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  /** Listens, and has itself registered. */
  static async start(targets: () => Target[], apiKey: string, seed: number): Promise<EventEndpoint> {
    const endpoint = new EventEndpoint(targets, apiKey, seed);
    await new Promise<void>((resolve) => endpoint.server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(endpoint.server.address() as AddressInfo).port}`;
    const { webhook_endpoint_id: id } = await endpoint.call('POST', '/api/v1/webhook-endpoints', { url });
    endpoint.path = `/api/v1/webhook-endpoints/${id}`;
    return endpoint;
  }

  /** Takes and answers everything from now on, and has the service try again at once. */
  async calm(): Promise<void> {
    this.isCalm = true;
    await eventually(() => this.call('PATCH', this.path, { enabled: true }));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { events } = JSON.parse(await text(request)) as { events: ReceivedEvent[] };
      // Never twice in a row: after the first failure the service waits for 5 seconds, then for 30.
      const isFailing = !this.hasFailed && !this.isCalm;
      this.hasFailed = isFailing && this.random.chance(REFUSED + UNANSWERED);
      if (this.hasFailed && this.random.chance(REFUSED / (REFUSED + UNANSWERED)))
        return void response.writeHead(500).end();
      for (const event of events) this.take(toldBy(event));
      if (this.hasFailed) response.destroy();
      else response.writeHead(204).end();
    } catch {
      response.destroy(); // the worker died while it wrote
    }
  }

  private take(event: ToldEvent): void {
    if (this.ids.has(event.id)) this.repeated += 1;
    else this.seen.push(event);
    this.ids.add(event.id);
  }

  private async call(method: string, path: string, body: object): Promise<Record<string, string>> {
    const [target] = this.targets();
    const response = await fetch(`${target?.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const answer = (await response.json()) as { data: Record<string, string> };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  }
}
