import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-ports.js';
import { ServerProcess } from '../support/server-process.js';

const MEMBERS = 3;

/** Three etcd, in which the Patronis agree who is the primary. They go on while one of them is out. */
export class Etcd {
  private constructor(
    readonly members: ServerProcess[],
    /** Where clients reach each member, as `http://host:port`. */
    readonly urls: string[],
  ) {}

  static async start(program: string, folder: string): Promise<Etcd> {
    const ports = await freePorts(2 * MEMBERS);
    const [clients, peers] = [ports.slice(0, MEMBERS), ports.slice(MEMBERS)].map((list) =>
      list.map((port) => `http://127.0.0.1:${port}`),
    ) as [string[], string[]];
    const names = clients.map((_url, index) => `etcd-${index + 1}`);
    const cluster = names.map((name, index) => `${name}=${peers[index]}`).join(',');
    const members = names.map((name, index) => {
      const own = { client: clients[index] as string, peer: peers[index] as string };
      const flags = flagsOf(name, join(folder, name), own, cluster);
      return ServerProcess.start({ command: [program, ...flags], logFile: join(folder, `${name}.log`) });
    });
    const etcd = new Etcd(members, clients);
    await etcd.untilHealthy();
    return etcd;
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }

  /** Waits until all members answer and have a leader. */
  async untilHealthy(): Promise<void> {
    await eventually(() => this.checkHealth());
  }

  private async checkHealth(): Promise<void> {
    for (const url of this.urls) {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
      const { health } = (await response.json()) as { health: string };
      if (health !== 'true') throw new Error(`etcd at ${url} is not healthy yet`);
    }
  }
}

const flagsOf = (name: string, data: string, own: { client: string; peer: string }, cluster: string) => [
  `--name=${name}`,
  `--data-dir=${data}`,
  `--listen-client-urls=${own.client}`,
  `--advertise-client-urls=${own.client}`,
  `--listen-peer-urls=${own.peer}`,
  `--initial-advertise-peer-urls=${own.peer}`,
  `--initial-cluster=${cluster}`,
  '--initial-cluster-state=new',
  '--enable-v2', // Patroni uses it
  '--logger=zap',
  '--log-level=warn',
];
