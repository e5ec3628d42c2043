import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.js';
import { Api } from './api.js';
import { eventually } from './eventually.js';
import { databaseVariables } from './infrastructure.js';
import { PRODUCTION_FLAGS } from './production-flags.js';

/** Compiled by Jest's global setup. */
const MAIN = new URL('../../dist/src/main.js', import.meta.url).pathname;

/** The variables that a process needs from the configuration of the service beside it. */
const SHARED = [
  'REDIS_URL',
  'PROVIDER_BASE_URL',
  'ENCRYPTION_KEY',
  'WEBHOOK_VERIFY_TOKEN',
  'DASHBOARD_SESSION_SECRET',
  'UNKNOWN_OUTCOME_WINDOW',
] as const;

/** A process of the service, as in production, on the database of another service. */
export class ServiceProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tms-spec-'));
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;
  /** Its URL, when it is ready. */
  url = '';

  /** @param env variables that are not in the configuration */
  constructor(
    shared: Config,
    private readonly own: Partial<Config>,
    env: Record<string, string> = {},
  ) {
    const config = {
      ...databaseVariables(shared),
      ...Object.fromEntries(SHARED.map((name) => [name, shared[name]])),
      ...own,
    };
    const variables = Object.entries({
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: 0,
      LOG_LEVEL: 'error',
      ...config,
    });
    this.child = spawn(process.execPath, [...PRODUCTION_FLAGS, MAIN], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        ...env,
        ...Object.fromEntries(variables.map(([key, value]) => [key, String(value)])),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.ended = once(this.child, 'exit').then(([code]) => {
      rmSync(this.folder, { recursive: true, force: true });
      return code as number | null;
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  async untilListening(): Promise<void> {
    const lines = createInterface(this.child.stdout as NodeJS.ReadableStream);
    for await (const line of lines) {
      this.url = /^Listening on (\S+)/.exec(line)?.[1] ?? '';
      if (this.url) break;
    }
  }

  async untilReady(): Promise<void> {
    await this.untilListening();
    await eventually(async () => {
      const { status } = await new Api(this.url, null).get('/health/ready');
      if (status !== 200) throw new Error(`It is not ready: ${status}`);
    });
  }

  /** Asks it to end. @returns its exit code, and whether it took no longer than SHUTDOWN_GRACE */
  async stop(signal: 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; withinGrace: boolean }> {
    const start = performance.now();
    this.child.kill(signal);
    const code = await this.ended;
    return { code, withinGrace: performance.now() - start <= (this.own.SHUTDOWN_GRACE ?? 25) * 1_000 };
  }

  /** Lets it stand still, as on a frozen machine. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** Lets it go on when it was paused or has stopped at a fail point. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
