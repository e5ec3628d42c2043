import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = new URL('network-process.ts', import.meta.url);
const TYPESCRIPT = new URL('../support/typescript.mjs', import.meta.url).href;

/** What is asked of the process with the proxies. */
export type NetworkRequest = { open: string[] } | 'silence' | 'speak';

/**
 * The network of a machine: proxies before what others reach on it, and before what it reaches. They are in a process of
 * their own, as everything of a cluster goes through them, and must not wait for what the tests do otherwise.
 */
export class Network {
  private readonly ended: Promise<never>;
  /** Where the proxies listen, as `host:port`, in the order of the URLs. */
  addresses: string[] = [];

  private constructor(private readonly child: ChildProcess) {
    const end = () => Promise.reject(new Error('The process of a network has ended'));
    this.ended = once(child, 'exit').then(end);
    this.ended.catch(() => undefined); // whoever asks for something hears of it
  }

  /** @param urls of the servers on both sides */
  static async before(urls: string[]): Promise<Network> {
    // In a process group of its own: Ctrl-C is for the tests. It ends with the channel to them.
    const child = fork(PROGRAM, { execArgv: ['--import', TYPESCRIPT], detached: true });
    const network = new Network(child);
    network.addresses = await network.ask({ open: urls });
    return network;
  }

  /** Nothing comes through any more, as when a network drops packets. */
  async silence(): Promise<void> {
    await this.ask('silence');
  }

  async speak(): Promise<void> {
    await this.ask('speak');
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await this.ended.catch(() => undefined);
  }

  /** @returns the addresses, once it is done; one thing is asked at a time */
  private async ask(request: NetworkRequest): Promise<string[]> {
    const answer = once(this.child, 'message');
    this.child.send(request);
    const [addresses] = await Promise.race([answer, this.ended]);
    return addresses as string[];
  }
}
