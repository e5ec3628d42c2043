import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { tail } from '../src/embedded/supervised.js';
import { PRODUCTION_FLAGS } from '../test/support/production-flags.js';

const TYPESCRIPT = new URL('../test/support/typescript.mjs', import.meta.url).href;
const LIFELINE = new URL('../test/faults/lifeline.mjs', import.meta.url).href;

/** Milliseconds for a process to end by itself. */
const PATIENCE = 40_000;

/** A process of the benchmark. */
export class BenchProcess {
  private readonly exited: Promise<unknown>;

  constructor(
    readonly child: ChildProcess,
    /** Its URL, if it has one. */
    readonly url: string,
  ) {
    this.exited = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get hasEnded(): boolean {
    return hasEnded(this.child);
  }

  /** Asks it to end as Ctrl-C does, without draining, and kills it after a while. May be called again. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    this.child.kill('SIGINT');
    const insist = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE);
    await this.exited;
    clearTimeout(insist);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Runs one of the benchmark's scripts, which tells over the IPC channel when it is ready (child.ts).
 * @param file its path below bench/
 */
export async function startScript(file: string, env: Record<string, string> = {}): Promise<BenchProcess> {
  const path = new URL(file, import.meta.url).pathname;
  const child = spawn(process.execPath, ['--no-warnings', '--import', TYPESCRIPT, path], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [first] = await Promise.race([
    once(child, 'message') as Promise<[{ url?: string }]>,
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} has ended before it was ready`))),
  ]);
  return new BenchProcess(child, first.url ?? '');
}

export interface ServiceOptions {
  /** The compiled service. */
  file: string;
  /** The folder for its log. */
  folder: string;
  env: Record<string, string>;
  role: 'api' | 'worker';
  name: string;
  /** The folder for a CPU profile of the whole life of the process, if given. */
  profiles?: string | undefined;
}

/** Runs a process of the service as `npm run start:prod` does, and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<BenchProcess> {
  const { file, folder, env, role, name, profiles } = options;
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const child = spawn(process.execPath, [...PRODUCTION_FLAGS, ...flags, '--import', LIFELINE, file], {
    cwd: folder,
    env: { ...env, PATH: process.env['PATH'], ROLE: role },
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  const lines = createInterface(child.stdout as Readable);
  const url = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const listening = /^Listening on (\S+)/.exec(line)?.[1];
      if (listening) resolve(listening);
    });
  });
  const ended = once(child, 'exit').then(async () => {
    throw new Error(`${name} has ended:\n${await tail(logFile)}`);
  });
  ended.catch(() => undefined); // it also ends later, when it is asked to
  return new BenchProcess(child, await Promise.race([url, ended]));
}
