import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that came to an {@link EventReceiver}. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  events: ReceivedEvent[];
}

export interface ReceivedEvent {
  id: string;
  type: string;
  cursor: string;
  occurred_at: string;
  recorded_at: string;
  data: Record<string, any>;
}

/** An endpoint of a tenant: keeps what is posted to it, and answers as it is told; with `?hang` in its address, never. */
export class EventReceiver {
  /** All requests, also those that it has refused. */
  readonly requests: Received[] = [];
  /** The events of the requests that it has taken. */
  readonly taken: ReceivedEvent[] = [];
  /** What it answers with; null: nothing. */
  status: number | null = 200;
  headers: Record<string, string> = {};
  /** Requests that had no answer yet at the same time, at most. */
  mostAtOnce = 0;
  private readonly waiting = new Set<ServerResponse>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EventReceiver> {
    const server = createServer();
    const receiver = new EventReceiver(server);
    server.on('request', (request, response) => void receiver.receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  /** Requests that wait for an answer, and whose sender does too. */
  get atOnce(): number {
    return this.waiting.size;
  }

  /** Answers all that wait. */
  answer(status: number): void {
    for (const response of this.waiting) response.writeHead(status).end();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.waiting.add(response);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.waiting.size);
    response.once('close', () => this.waiting.delete(response));
    const body = await text(request);
    const { events } = JSON.parse(body) as { events: ReceivedEvent[] };
    this.requests.push({ headers: request.headers, body, events });
    if (this.status === null || request.url?.endsWith('?hang')) return;
    if (this.status < 300) this.taken.push(...events);
    response.writeHead(this.status, this.headers).end();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
