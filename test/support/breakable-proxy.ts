import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Stands between the service and a server, and can be out: connections are cut and new ones refused. Or it can be
 * silent, as a network that drops packets is: connections stay open, and nothing comes through.
 */
export class BreakableProxy {
  private readonly sockets = new Set<Socket>();
  /** Each direction of the connections on which nothing passes now. */
  private readonly silenced = new Map<Socket, Socket>();
  private readonly directions = new Map<Socket, Socket>();
  private isSilent = false;
  private server: Server | undefined;
  private port = 0;
  private cut: { text: string; when: 'request' | 'answer'; done: () => void } | undefined;

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

  /**
   * Cuts the connection on which the next request goes that has `text` in it: before the server gets it, or when the
   * server answers. Resolves when that has happened.
   */
  cutNext(text: string, when: 'request' | 'answer'): Promise<void> {
    return new Promise((done) => (this.cut = { text, when, done }));
  }

  /**
   * From now on nothing passes, not even the end of a connection: on all connections, those to come included, or only
   * on those that are open at this moment.
   */
  silence(which: 'all' | 'open'): void {
    this.isSilent = which === 'all';
    for (const [from, to] of this.directions) this.hush(from, to);
  }

  /** Lets everything pass again; what was held back arrives late, as by TCP's own repetition. */
  speak(): void {
    this.isSilent = false;
    for (const [from, to] of this.silenced) from.pipe(to);
    this.silenced.clear();
  }

  /** Cuts all connections and refuses new ones; does nothing where that is so already. */
  async break(): Promise<void> {
    this.isSilent = false;
    this.silenced.clear();
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
    client.on('data', (chunk) => this.watch(chunk, client, upstream)); // before what passes it on
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      this.directions.set(from, to);
      from.pipe(to);
      if (this.isSilent) this.hush(from, to);
      from.on('error', () => to.destroy()); // the other side learns of it by its end
      from.on('close', () => {
        for (const known of [this.sockets, this.directions, this.silenced]) known.delete(from);
        to.destroy();
      });
    }
  }

  private hush(from: Socket, to: Socket): void {
    from.unpipe(to).pause();
    this.silenced.set(from, to);
  }

  private watch(request: Buffer, client: Socket, upstream: Socket): void {
    if (!this.cut || !request.includes(this.cut.text)) return;
    const { when, done } = this.cut;
    this.cut = undefined;
    const end = () => {
      client.destroy();
      upstream.destroy();
      done();
    };
    if (when === 'request') end();
    else upstream.prependOnceListener('data', end);
  }
}
