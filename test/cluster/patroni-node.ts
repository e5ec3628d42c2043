import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresRunAs } from '../../src/embedded/postgres-user.js';
import { freePorts } from '../support/free-ports.js';
import { Network } from './network.js';
import { signalTree, untilGone } from './process-tree.js';
import { ServerProcess } from '../support/server-process.js';

/** What Patroni says of its PostgreSQL, as far as tests ask. */
interface NodeState {
  replication?: { state: string; sync_state: string }[];
}

export interface NodeOptions {
  name: string;
  folder: string;
  /** Patroni's program, and the folder of PostgreSQL's. */
  programs: { patroni: string; postgres: string };
  runAs: PostgresRunAs;
  passwords: Passwords;
  /** Where the members of etcd are reached. */
  etcd: string[];
  /** Patroni's settings that all nodes share; the first node stores them in etcd. */
  shared: object;
}

export interface Passwords {
  superuser: string;
  replication: string;
}

const SUPERUSER = 'postgres';

/**
 * Patroni's PostgreSQL does not end with Patroni. So this ends it, and what it has started, when the process ends that
 * holds the other end of standard input. Arguments: the file with the process id, a part of the command line.
 */
const GUARD = `
cat >/dev/null
pid=$(head -n 1 "$0") && grep -q -- "$1" "/proc/$pid/cmdline" || exit 0
pkill -KILL -P "$pid"
kill -KILL "$pid"
`;

/**
 * A machine with Patroni and its PostgreSQL. Whoever else speaks with it does so through proxies, and it speaks with
 * etcd through proxies: so its network can be cut.
 */
export class PatroniNode {
  private constructor(
    readonly name: string,
    private readonly patroni: ServerProcess,
    private readonly dataFolder: string,
    /** Patroni's own address, past the proxies. */
    private readonly restUrl: string,
    /** Where others reach its PostgreSQL and its Patroni, as `host:port`. */
    readonly addresses: { postgres: string; rest: string },
    private readonly network: Network,
    private readonly guard: ChildProcess,
  ) {}

  static async start(options: NodeOptions): Promise<PatroniNode> {
    const { name, folder, programs, runAs, etcd } = options;
    const home = join(folder, name);
    await mkdir(home, { mode: 0o700 });
    const [postgresPort = 0, restPort = 0] = await freePorts(2);
    const restUrl = `http://127.0.0.1:${restPort}`;
    const own = [`postgres://127.0.0.1:${postgresPort}`, restUrl];
    const network = await Network.before([...own, ...etcd]);
    const [postgres = '', rest = '', ...etcdHosts] = network.addresses;
    const addresses = { postgresPort, restPort, postgres, rest, etcd: etcdHosts };
    const file = join(home, 'patroni.yml');
    // YAML includes JSON.
    await writeFile(file, JSON.stringify(configurationOf(options, home, addresses), null, 2), {
      mode: 0o600,
    });
    if (runAs.owner) {
      const { uid, gid } = runAs.owner;
      await Promise.all([home, file].map((path) => chown(path, uid, gid)));
    }
    const logFile = join(folder, `${name}.log`);
    const patroni = ServerProcess.start({ command: [programs.patroni, file], logFile, runAs });
    const data = join(home, 'data');
    return new PatroniNode(name, patroni, data, restUrl, { postgres, rest }, network, guardOf(data));
  }

  /** Whether Patroni says that it is the primary; past the proxies, so that it says what it believes itself. */
  async isPrimary(): Promise<boolean> {
    return (await this.ask('/primary').catch(() => null))?.status === 200;
  }

  /** Whether Patroni knows that it has everything, so that it may become the primary. */
  async isSynchronous(): Promise<boolean> {
    return (await this.ask('/synchronous').catch(() => null))?.status === 200;
  }

  /** How many standbys follow it synchronously. */
  async synchronousStandbys(): Promise<number> {
    const { replication = [] } = (await (await this.ask('/patroni')).json()) as NodeState;
    return replication.filter((one) => one.state === 'streaming' && one.sync_state === 'sync').length;
  }

  /** Gives its place to the other node. */
  async switchOver(): Promise<void> {
    const request = { method: 'POST', body: JSON.stringify({ leader: this.name }) };
    const { status } = await this.ask('/switchover', request, 60_000);
    if (status !== 200) throw new Error(`Patroni has refused to switch over: ${status}`);
  }

  /** Ends PostgreSQL alone, in the middle of what it does. */
  async killPostgres(): Promise<void> {
    const postmaster = await this.postmaster();
    if (postmaster) await untilGone(await signalTree(postmaster, 'SIGKILL'));
  }

  /** Ends Patroni alone: its PostgreSQL goes on, and nobody watches it. */
  async killPatroni(): Promise<void> {
    await this.patroni.kill();
  }

  /** Everything on the machine ends, as when its power is cut. */
  async kill(): Promise<void> {
    await this.killPatroni();
    await this.killPostgres();
  }

  /** The machine is switched on again. */
  restart(): void {
    this.patroni.restart();
  }

  /** Everything on the machine stands still, as when it is frozen. */
  async pause(): Promise<void> {
    this.patroni.pause();
    const postmaster = await this.postmaster();
    if (postmaster) await signalTree(postmaster, 'SIGSTOP');
  }

  async resume(): Promise<void> {
    const postmaster = await this.postmaster();
    if (postmaster) await signalTree(postmaster, 'SIGCONT');
    this.patroni.resume();
  }

  /** Nothing comes through to the machine or from it, as when a network drops packets. */
  silence(): Promise<void> {
    return this.network.silence();
  }

  speak(): Promise<void> {
    return this.network.speak();
  }

  async stop(): Promise<void> {
    await this.kill();
    this.guard.kill('SIGKILL');
    await this.network.stop();
  }

  private ask(path: string, request: RequestInit = {}, timeout = 1_000): Promise<Response> {
    return fetch(`${this.restUrl}${path}`, { ...request, signal: AbortSignal.timeout(timeout) });
  }

  /** The process id of PostgreSQL's first process; undefined when it does not run. */
  private async postmaster(): Promise<number | undefined> {
    const text = await readFile(join(this.dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(this.dataFolder) ? pid : undefined; // process ids are used again
  }
}

function guardOf(dataFolder: string): ChildProcess {
  const args = ['-c', GUARD, join(dataFolder, 'postmaster.pid'), dataFolder];
  const guard = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

function configurationOf(
  { name, programs, passwords, shared }: NodeOptions,
  home: string,
  addresses: { postgresPort: number; restPort: number; postgres: string; rest: string; etcd: string[] },
): object {
  const access = 'all 127.0.0.1/32 scram-sha-256';
  return {
    scope: 'messaging',
    name,
    restapi: { listen: `127.0.0.1:${addresses.restPort}`, connect_address: addresses.rest },
    // Not etcd3: by it, a Patroni before 3.0.3 (https://github.com/patroni/patroni/pull/2689) that has stood still takes the
    // lock back from the node that has become the primary meanwhile.
    // use_proxies: it does not ask etcd for its members' own addresses.
    etcd: { hosts: addresses.etcd, use_proxies: true },
    bootstrap: {
      dcs: shared,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${addresses.postgresPort}`,
      connect_address: addresses.postgres,
      data_dir: join(home, 'data'),
      bin_dir: programs.postgres,
      pgpass: join(home, 'pgpass'),
      use_unix_socket: true,
      parameters: { unix_socket_directories: home },
      pg_hba: ['local all all trust', `host all ${access}`, `host replication ${access}`],
      authentication: {
        superuser: { username: SUPERUSER, password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
      },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}
