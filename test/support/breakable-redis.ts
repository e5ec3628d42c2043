import { BreakableProxy } from './breakable-proxy.js';
import { testRedisUrl } from './infrastructure.js';

/** The Redis of a test, with a proxy in front of each of its servers: several when the tests run on a cluster. */
export class BreakableRedis {
  private constructor(
    readonly url: string,
    private readonly proxies: BreakableProxy[],
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<BreakableRedis> {
    const url = await testRedisUrl();
    if (url.startsWith('redis:')) {
      const proxy = await BreakableProxy.before(url);
      return new BreakableRedis(proxy.url, [proxy], () => Promise.resolve());
    }
    const { TestCluster } = await import('./redis-cluster.js');
    const cluster = await TestCluster.start();
    const addresses = cluster.nodes.map(({ address }) => `redis://${address}`);
    const proxies = await Promise.all(addresses.map((address) => BreakableProxy.before(address)));
    const ports = proxies.map((proxy) => Number(new URL(proxy.url).port));
    await cluster.announce(ports);
    const hosts = ports.map((port) => `127.0.0.1:${port}`);
    return new BreakableRedis(`redis+cluster://${hosts.join(',')}`, proxies, () => cluster.stop());
  }

  /** See {@link BreakableProxy.silence}. */
  silence(which: 'all' | 'open'): void {
    for (const proxy of this.proxies) proxy.silence(which);
  }

  speak(): void {
    for (const proxy of this.proxies) proxy.speak();
  }

  /** Cuts all connections and refuses new ones; does nothing when it is already broken. */
  async break(): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.break()));
  }

  async mend(): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.mend()));
  }

  async stop(): Promise<void> {
    await this.break();
    await this.end();
  }
}
