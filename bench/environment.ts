import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { redisPidFile } from '../src/embedded/embedded-redis.js';
import { startEmbedded } from '../src/embedded/embedded-services.js';
import { clusterFolder } from '../src/embedded/postgres-cluster.js';
import { tail } from '../src/embedded/supervised.js';
import { copyProgram } from '../test/faults/program.js';
import { Meter } from './meter.js';
import type { BenchProcess } from './processes.js';
import { Provider } from './provider/provider.js';

export type Say = (line: string) => void;

/** The parts that all measurements share: servers, provider and compiled service, in a folder of the run's own. */
export class Environment {
  private readonly ends: (() => Promise<unknown>)[] = [];
  private admin!: Client;
  private redis!: Redis;
  private urls!: { postgres: string; redis: string };
  private pids!: { postgres: number; redis: number };
  folder!: string;
  /** A copy of the compiled service, which a build by somebody else meanwhile does not change. */
  program!: string;
  provider!: Provider;

  private constructor(
    readonly say: Say,
    /** The folder for CPU profiles of the service's processes, if these are recorded. */
    readonly profiles: string | undefined,
  ) {}

  /** @param ends gets the functions that end its parts, also when the start fails halfway */
  static async start(say: Say, ends: (() => Promise<void>)[], profiles?: string): Promise<Environment> {
    const environment = new Environment(say, profiles);
    ends.push(() => environment.stop());
    await environment.prepareFolder();
    await environment.startServers();
    environment.provider = await Provider.start();
    environment.ending(() => environment.provider.process.stop());
    return environment;
  }

  /** Adds a function that ends something with the run, before everything that was started earlier. */
  ending(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  /** Makes a process end with the run at the latest. */
  keep(process: BenchProcess): BenchProcess {
    this.ending(() => process.stop());
    return process;
  }

  /** Makes a new, empty database. @returns its URL */
  async createDatabase(name: string): Promise<string> {
    await this.admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(this.urls.postgres);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Runs `work` while PostgreSQL has other settings, none of which needs a restart. */
  async configured<Result>(settings: Record<string, string>, work: () => Promise<Result>): Promise<Result> {
    const names = Object.keys(settings);
    try {
      for (const name of names) await this.admin.query(`ALTER SYSTEM SET ${name} = '${settings[name]}'`);
      await this.admin.query('SELECT pg_reload_conf()');
      return await work();
    } finally {
      for (const name of names) await this.admin.query(`ALTER SYSTEM RESET ${name}`);
      await this.admin.query('SELECT pg_reload_conf()');
      await this.admin.query('CHECKPOINT');
    }
  }

  /** The URL of one of Redis' databases. */
  redisUrl(number: number): string {
    const url = new URL(this.urls.redis);
    url.pathname = `/${number}`;
    return url.href;
  }

  /** Empties Redis and writes PostgreSQL's buffers, so that no measurement pays for an earlier one. */
  async calm(): Promise<void> {
    await this.redis.flushall();
    await this.admin.query('CHECKPOINT');
  }

  /** A meter of these processes, the servers, the provider, and this process, which generates the load. */
  meter(
    processes: Record<string, BenchProcess>,
    onLook?: (megabytes: Record<string, number>) => void,
  ): Meter {
    const own = Object.entries(processes).map(([name, one]) => [name, one.pid] as const);
    const pids = {
      ...Object.fromEntries(own),
      ...this.pids,
      provider: this.provider.process.pid,
      generator: process.pid,
    };
    return new Meter(pids, () => this.redisBytes(), onLook);
  }

  /** The last lines that each process of the service has logged. */
  async logs(): Promise<string> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.log'));
    const tails = names.map(async (name) => `${name}:\n${await tail(join(this.folder, name))}`);
    return (await Promise.all(tails)).join('\n\n');
  }

  private async prepareFolder(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'tms-bench-'));
    this.ending(() => rm(this.folder, { recursive: true, force: true }));
    // Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
    await chmod(this.folder, 0o711);
    this.program = await copyProgram(this.folder);
  }

  /** Starts durable servers with the settings of the embedded ones. */
  private async startServers(): Promise<void> {
    const data = join(this.folder, 'data');
    const servers = await startEmbedded({ postgres: true, redis: true }, data, this.say, { durable: true });
    this.ending(() => servers.stop());
    const { databaseUrl = '', redisUrl = '' } = servers;
    this.urls = { postgres: databaseUrl, redis: redisUrl };
    this.pids = {
      postgres: await pidOf(join(clusterFolder(data), 'postmaster.pid')),
      redis: await pidOf(redisPidFile(data)),
    };
    this.admin = new Client({ connectionString: databaseUrl });
    await this.admin.connect();
    this.ending(() => this.admin.end());
    this.redis = new Redis(redisUrl);
    this.ending(() => this.redis.quit());
  }

  private async redisBytes(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(await this.redis.info('memory'))?.[1]);
  }

  private async stop(): Promise<void> {
    for (const end of this.ends.splice(0).toReversed()) await end();
  }
}

async function pidOf(file: string): Promise<number> {
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}
