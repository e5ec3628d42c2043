import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { redisBinary } from '../../src/embedded/redis-binary.js';
import { type Supervised, supervise, tail } from '../../src/embedded/supervised.js';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';

const HOST = '127.0.0.1';

/** How tests enter; with every character that has a meaning in a URL. */
export const LOGIN = { username: 'us:er@/', password: 'p@ss:w/o?r#d%+&=,ä' } as const;

/** Only that user may enter, and servers enter one another as it. */
const ONLY_LOGIN = [
  'user default off',
  `user "${LOGIN.username}" on ">${LOGIN.password}" ~* &* +@all`,
  `masteruser "${LOGIN.username}"`,
  `masterauth "${LOGIN.password}"`,
];

/** Nothing on disk, and no waits that make failing over slow. */
const QUICK = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', 'repl-ping-replica-period 1'];

export interface RedisServerOptions {
  /** Lines of its configuration. */
  lines?: string[];
  /** It wants {@link LOGIN}. */
  locked?: boolean;
  sentinel?: boolean;
  /** By which the test enters a server that is not locked. */
  password?: string;
}

/** A redis-server, or sentinel, of a test. It can be killed and started again at the same address, or stand still. */
export class RedisServer {
  private server: Supervised | undefined;
  /** For the test itself. */
  readonly admin: Redis;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: RedisServerOptions,
  ) {
    const login: RedisOptions = options.locked ? LOGIN : { password: options.password };
    this.admin = new Redis({
      ...login,
      host: HOST,
      port,
      lazyConnect: true,
      disconnectTimeout: 100,
      retryStrategy: () => 50,
    });
    this.admin.on('error', () => undefined); // while it is out
  }

  static async start(parent: string, name: string, options: RedisServerOptions = {}): Promise<RedisServer> {
    const [port = 0] = await freePorts(1);
    const server = new RedisServer(join(parent, name), port, options);
    await mkdir(server.folder);
    await server.restart();
    return server;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** @param lines beside those that it was started with */
  async restart(lines: string[] = []): Promise<void> {
    const { folder, port, options } = this;
    const file = join(folder, 'redis.conf');
    const own = [`bind ${HOST}`, `port ${port}`, `dir "${folder}"`, `pidfile "${folder}/pid"`];
    const kind = options.sentinel ? [] : [...QUICK, ...(options.locked ? ONLY_LOGIN : [])];
    await rm(join(folder, 'pid'), { force: true });
    await writeFile(file, [...own, ...kind, ...(options.lines ?? []), ...lines, ''].join('\n'));
    const command = [await redisBinary(folder, () => undefined), file];
    if (options.sentinel) command.push('--sentinel');
    const logFile = join(folder, 'redis.log');
    this.server = supervise(command, { stopSignal: 'TERM', logFile });
    const ended = this.server.exited.then(async (code) => {
      throw new Error(`redis-server ended with ${code}: ${await tail(logFile)}`);
    });
    await Promise.race([eventually(() => this.admin.ping()), ended]);
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
    await this.server?.exited;
    this.server = undefined;
  }

  /** Lets it stand still: its connections stay open, and it says nothing. */
  pause(): Promise<void> {
    return this.signal('SIGSTOP');
  }

  resume(): Promise<void> {
    return this.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    this.admin.disconnect();
    if (this.server) await this.kill();
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(Number(await readFile(join(this.folder, 'pid'), 'utf8')), signal);
  }
}

/** User and password as they stand in a URL. */
export function loginInUrl({ username, password }: { username: string; password: string } = LOGIN): string {
  return `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
}
