import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { RunAs } from '../../src/embedded/supervised.js';

export interface ServerOptions {
  command: string[];
  /** Takes what it writes; kept over restarts. */
  logFile: string;
  runAs?: RunAs;
}

/** A real server in the foreground, which can crash, stand still, and come back at the same address with the same data. */
export class ServerProcess {
  private child: ChildProcess | undefined;
  private exited: Promise<unknown> = Promise.resolve();

  private constructor(private readonly options: ServerOptions) {}

  static start(options: ServerOptions): ServerProcess {
    const server = new ServerProcess(options);
    server.launch();
    return server;
  }

  /** Undefined when it does not run. */
  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  get logFile(): string {
    return this.options.logFile;
  }

  /** Ends it without an orderly shutdown. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL'); // ends a process that stands still, too
    await this.exited;
  }

  /** Lets it stand still, as on a frozen machine. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Starts it again, at the same address, after it was killed. */
  restart(): void {
    if (this.pid === undefined) this.launch();
  }

  private launch(): void {
    const { command, logFile, runAs } = this.options;
    const { prefix = [], ...user } = runAs ?? {};
    // It ends with this process, however that ends, even if it stands still.
    const [file = '', ...args] = [...prefix, 'setpriv', '--pdeathsig', 'KILL', ...command];
    const log = openSync(logFile, 'a', 0o600);
    // In a process group of its own: Ctrl-C is for the tests, which end it.
    this.child = spawn(file, args, { ...user, cwd: '/', stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.exited = once(this.child, 'exit');
  }
}
