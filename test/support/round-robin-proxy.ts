import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api } from './api.js';

/** Milliseconds between two checks whether a target is ready. */
const CHECK = 100;

/**
 * A very simple load balancer: it keeps connections alive, sends requests to every ready target in turn, and repeats
 * nothing.
 */
export class RoundRobinProxy {
  private readonly targets = new Map<string, { ready: boolean; answered: number }>();
  private readonly agent = new Agent({ keepAlive: true });
  private turn = 0;
  private timer?: NodeJS.Timeout;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RoundRobinProxy> {
    const server = createServer();
    const proxy = new RoundRobinProxy(server);
    server.on('request', (incoming, answer) => proxy.pass(incoming, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy.timer = setInterval(() => void proxy.check(), CHECK);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    this.targets.set(url, { ready: true, answered: 0 });
  }

  answeredBy(url: string): number {
    return this.targets.get(url)?.answered ?? 0;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async check(): Promise<void> {
    for (const [url, target] of this.targets) {
      const answer = await new Api(url, null).get('/health/ready').catch(() => null);
      target.ready = answer?.status === 200;
    }
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const ready = [...this.targets].filter(([, target]) => target.ready);
    const [url, target] = ready[(this.turn += 1) % ready.length] ?? [];
    if (!url || !target) return void answer.writeHead(502).end();
    const { method, headers } = incoming;
    const outgoing = request(`${url}${incoming.url}`, { method, headers, agent: this.agent }, (response) => {
      target.answered += 1;
      const { connection: _, ...others } = response.headers;
      answer.writeHead(response.statusCode ?? 502, others);
      response.pipe(answer);
    });
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    incoming.pipe(outgoing);
  }
}
