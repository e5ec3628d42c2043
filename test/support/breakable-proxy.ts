import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between the service and a server, and can be out: connections are cut and new ones refused. */
export class BreakableProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  private constructor(private readonly target: URL) {}

  /** @returns a proxy in front of the server of that URL */
  static async before(url: string): Promise<BreakableProxy> {
    const proxy = new BreakableProxy(new URL(url));
    await proxy.mend();
    return proxy;
  }

  /** The URL to use instead of the server's own. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async break(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server?.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.server = undefined;
  }

  async mend(): Promise<void> {
    const server = createServer((client) => this.join(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()); // the other side learns of it by its end
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
