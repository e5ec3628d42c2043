import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { eventually } from '../support/eventually.js';
import { PRODUCTION_FLAGS } from '../support/production-flags.js';

export type Role = 'api' | 'worker';

/** The file that processes run, their folder, and their configuration. */
export interface Program {
  file: string;
  folder: string;
  env: Record<string, string>;
  /** What a process of that name has beside it. */
  environmentOf: (name: string) => Record<string, string>;
}

/** How a process ended: killed by the harness, at a fail point, stopped as asked, or by a fault of its own. */
export type DeathKind = 'killed' | 'fail point' | 'stopped' | 'did not start' | 'crashed' | 'stopped badly';

export interface Death {
  process: string;
  kind: DeathKind;
  at: number;
  /** Its exit code, or the signal that ended it. */
  how: number | NodeJS.Signals | null;
  /** The fail point that it was given, also where it died at another place. */
  failPoint: string | null;
}

const LIFELINE = new URL('lifeline.mjs', import.meta.url).href;

/** Milliseconds before a process that ended by itself is started again: it would spin while PostgreSQL is out. */
const PAUSE = 250;

/** Milliseconds in which anything has to happen. This is no measure of speed, as the machine may be busy. */
export const PATIENCE = 120_000;

/** One process of the service under a supervisor that starts it again at once, as those of production do. */
export class ServiceProcess {
  private child?: ChildProcess;
  private isKilled = false;
  private isAskedToStop = false;
  /** It stood still while it stopped: its time to stop runs on. */
  private losesGrace = false;
  private failPoint: string | null = null;
  private restartTimer?: NodeJS.Timeout;
  private ended = false;
  private listensAt: string | null = null;
  private isPaused = false;

  constructor(
    readonly name: string,
    readonly role: Role,
    private readonly program: Program,
    /** Draws the fail point of its next life, such as `after-claim:3`; null for none. */
    private readonly drawFailPoint: () => string | null,
    private readonly onDeath: (death: Death) => void,
  ) {}

  /** Its URL; null while it does not answer or is paused, which a load balancer would notice as well. */
  get url(): string | null {
    return this.isPaused ? null : this.listensAt;
  }

  start(): void {
    const { file, folder, env, environmentOf } = this.program;
    this.failPoint = this.drawFailPoint();
    this.isKilled = false;
    this.isAskedToStop = false;
    this.isPaused = false;
    this.losesGrace = false;
    const log = openSync(`${folder}/${this.name}.log`, 'a');
    const child = spawn(process.execPath, [...PRODUCTION_FLAGS, '--import', LIFELINE, file], {
      cwd: folder,
      env: { ...env, ...environmentOf(this.name), ROLE: this.role, FAIL_POINTS: this.failPoint ?? '' },
      stdio: ['pipe', 'pipe', log],
    });
    closeSync(log);
    createInterface(child.stdout as Readable).on('line', (line) => {
      if (child === this.child) this.listensAt = /^Listening on (\S+)/.exec(line)?.[1] ?? this.listensAt;
    });
    child.once('exit', (code, signal) => this.handleExit(code, signal));
    this.child = child;
  }

  async untilReady(): Promise<void> {
    const check = () => {
      if (!this.url) throw new Error(`${this.name} does not start; see its log in ${this.program.folder}`);
    };
    await eventually(check, { patience: PATIENCE });
  }

  /** Kills it at once, whatever it does. */
  kill(): void {
    this.isKilled = true;
    this.child?.kill('SIGKILL');
  }

  /** Makes it stand still; what it has begun stays as it is. */
  pause(): void {
    this.isPaused = true;
    this.losesGrace ||= this.isAskedToStop;
    this.child?.kill('SIGSTOP');
  }

  /** Lets it go on; one that was killed meanwhile has already been started again. */
  resume(): void {
    this.isPaused = false;
    this.child?.kill('SIGCONT');
  }

  /** Asks it to stop, as a deploy does. It has to be ready first, as a process that is starting ignores signals. */
  async terminate(): Promise<void> {
    await this.untilReady();
    this.isAskedToStop = true;
    this.child?.kill('SIGTERM');
  }

  /** Asks it to stop for good, when no more requests are sent to it. @returns its exit code */
  async retire(): Promise<number | null> {
    this.ended = true;
    this.listensAt = null;
    const { child } = this;
    if (!child) throw new Error(`${this.name} has not started`);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    return exited;
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.restartTimer);
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  private handleExit(code: number | null, signal: NodeJS.Signals | null): void {
    const kind = this.kindOfDeath(code, signal);
    this.listensAt = null;
    if (this.ended) return;
    const { name, failPoint } = this;
    this.onDeath({ process: name, kind, at: Date.now(), how: signal ?? code, failPoint });
    if (kind === 'did not start') this.restartTimer = setTimeout(() => this.start(), PAUSE);
    else this.start();
  }

  /** A process that was asked to stop may be killed or die at its fail point first, or be gone before it is killed. */
  private kindOfDeath(code: number | null, signal: NodeJS.Signals | null): DeathKind {
    if (signal === 'SIGKILL' && this.isKilled) return 'killed';
    if (signal === 'SIGKILL' && this.failPoint) return 'fail point';
    if (signal) return 'crashed';
    if (this.isAskedToStop) return code === 0 || this.losesGrace ? 'stopped' : 'stopped badly';
    return this.listensAt ? 'crashed' : 'did not start';
  }
}
