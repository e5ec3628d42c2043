import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisPidFile, startRedis } from '../../src/embedded/embedded-redis.js';
import { startPostgres } from '../../src/embedded/embedded-postgres.js';
import { keptPort } from '../../src/embedded/ports.js';
import { clusterFolder } from '../../src/embedded/postgres-cluster.js';
import type { RunningServer } from '../../src/embedded/server-options.js';

/** A real server for one run, which can crash and come back at the same address with the same data. */
export class CrashableServer {
  private constructor(
    private readonly launch: () => Promise<RunningServer>,
    private readonly pidFile: string,
    private readonly crashSignal: NodeJS.Signals,
    private running: RunningServer,
  ) {}

  /** It is durable, as a crash must not lose what it has committed. */
  static async postgres(folder: string): Promise<CrashableServer> {
    const options = await optionsOf(folder, 'postgres');
    const pidFile = join(clusterFolder(folder), 'postmaster.pid');
    const launch = () => startPostgres(options);
    return new CrashableServer(launch, pidFile, 'SIGQUIT', await launch());
  }

  static async redis(folder: string): Promise<CrashableServer> {
    const options = await optionsOf(folder, 'redis');
    const launch = () => startRedis(options);
    return new CrashableServer(launch, redisPidFile(folder), 'SIGKILL', await launch());
  }

  get url(): string {
    return this.running.url;
  }

  /** Ends it without an orderly shutdown. */
  async crash(): Promise<void> {
    process.kill(Number.parseInt(await readFile(this.pidFile, 'utf8'), 10), this.crashSignal);
    await this.running.exited;
  }

  async restart(): Promise<void> {
    this.running = await this.launch();
  }

  async stop(): Promise<void> {
    await this.running.stop();
  }
}

async function optionsOf(dataDir: string, service: 'postgres' | 'redis') {
  const progress = () => undefined; // faults are thrown
  const port = await keptPort(dataDir, service, progress);
  return { dataDir, port, password: randomBytes(16).toString('hex'), durable: true, progress };
}
