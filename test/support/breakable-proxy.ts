import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Cut {
  texts: string[];
  when: 'request' | 'answer';
  done: () => void;
  /** How many of the texts each connection has had. */
  seen: Map<Socket, number>;
}

/**
 * Stands between the service and a server. It can be out, so that connections are cut and new ones refused, or silent,
 * like a network that drops packets: connections stay open, and nothing comes through.
 */
export class BreakableProxy {
  private readonly sockets = new Set<Socket>();
  /** Each direction of the connections that are silent now. */
  private readonly silenced = new Map<Socket, Socket>();
  private readonly directions = new Map<Socket, Socket>();
  private isSilent = false;
  /** Milliseconds that a new connection waits before the server hears of it. */
  private slowness = 0;
  /** Connections that were made while it was silent: the server has not heard of them. */
  private readonly unheard = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  private cut: Cut | undefined;

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
   * Cuts the connection of the next request that contains the text, before the server gets the request or when the
   * server answers. Resolves when that has happened.
   * @param texts what requests on one connection have to contain, one after the other; the last of them is cut
   */
  cutNext(texts: string[], when: 'request' | 'answer'): Promise<void> {
    return new Promise((done) => (this.cut = { texts, when, done, seen: new Map() }));
  }

  /**
   * Lets nothing pass any more, not even the end of a connection: on all connections, also new ones, or only on those
   * that are open now.
   */
  silence(which: 'all' | 'open'): void {
    this.isSilent = which === 'all';
    for (const [from, to] of this.directions) this.hush(from, to);
  }

  /** Lets everything pass again; held-back bytes arrive late, as if TCP had repeated them. */
  speak(): void {
    this.isSilent = false;
    for (const client of this.unheard) this.join(client);
    this.unheard.clear();
    for (const [from, to] of this.silenced) from.pipe(to);
    this.silenced.clear();
  }

  /** Has new connections wait for so many milliseconds before the server hears of them. */
  slow(milliseconds: number): void {
    this.slowness = milliseconds;
  }

  /** Cuts all connections and refuses new ones; does nothing when it is already broken. */
  async break(): Promise<void> {
    this.isSilent = false;
    this.silenced.clear();
    this.unheard.clear();
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.server = undefined;
  }

  async mend(): Promise<void> {
    const server = createServer((client) => this.take(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private take(client: Socket): void {
    if (!this.isSilent && this.slowness === 0) return this.join(client);
    if (this.isSilent) this.unheard.add(client.pause());
    else setTimeout(() => client.destroyed || this.join(client), this.slowness);
    this.sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => {
      this.sockets.delete(client);
      this.unheard.delete(client);
    });
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    client.on('data', (chunk) => this.watch(chunk, client, upstream)); // before the pipe that passes it on
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      this.directions.set(from, to);
      from.pipe(to);
      from.on('error', () => to.destroy()); // the other side notices it by the end of its connection
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
    if (!this.cut) return;
    const { texts, when, done, seen } = this.cut;
    const count = seen.get(client) ?? 0;
    if (!request.includes(texts[count] ?? '')) return;
    seen.set(client, count + 1);
    if (count + 1 < texts.length) return;
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
