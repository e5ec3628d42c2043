import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * Runs a command and, when standard input ends, sends it the signal in $1. This process holds the pipe's other end, so
 * that standard input also ends when this process is killed: no server outlives it. Signals that are meant for us are
 * ignored; servers inherit that, but set their own handlers.
 */
const SUPERVISOR = `
trap '' HUP INT TERM
exec 3<&0 </dev/null
signal=$1; shift
"$@" 3<&- &
child=$!
{ cat <&3 >/dev/null; kill -s "$signal" "$child"; } 2>/dev/null &
watcher=$!
wait "$child"; code=$?
kill -s KILL "$watcher"
exit "$code"
`;

/** Nothing of the caller's environment: PGPORT, LANG and the like would change what the programs do. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** The user to run a command as, and what goes before the command. */
export interface RunAs {
  uid?: number;
  gid?: number;
  prefix: string[];
}

export interface Supervised {
  /** resolves with the exit code when the process has ended, for whatever reason */
  exited: Promise<number>;
  /** sends the stop signal and waits for the end; may be called again */
  stop(): Promise<void>;
}

export interface SupervisedOptions {
  /** the signal's name without SIG */
  stopSignal: 'INT' | 'TERM';
  /** takes stdout and stderr; emptied first */
  logFile: string;
  runAs?: RunAs;
  /** for a command that is waited for; a server does not keep this process alive */
  keepsAlive?: boolean;
}

/**
 * Starts a command that ends with this process, however that ends. It has its own process group, so that Ctrl-C in the
 * terminal does not reach it before the service has drained.
 */
export function supervise(command: string[], options: SupervisedOptions): Supervised {
  const { stopSignal, logFile, runAs, keepsAlive = false } = options;
  const { prefix = [], ...user } = runAs ?? {};
  const log = openSync(logFile, 'w', 0o600);
  const shell = spawn('/bin/sh', ['-c', SUPERVISOR, 'supervisor', stopSignal, ...prefix, ...command], {
    ...user,
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const exited = once(shell, 'exit').then(([code]) => (code as number | null) ?? 1);
  const lifeline = shell.stdin as Socket;
  lifeline.on('error', () => undefined);
  void exited.then(() => lifeline.destroy());
  if (!keepsAlive) {
    shell.unref();
    lifeline.unref();
  }
  const stop = async () => {
    shell.ref();
    lifeline.end();
    await exited;
  };
  return { exited, stop };
}

/** Runs a shell script that must not stop half-way: it goes on when this process is interrupted or killed. */
export async function runToEnd(script: string, args: string[], logFile: string): Promise<void> {
  const log = openSync(logFile, 'w', 0o600);
  const options = {
    cwd: '/',
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log, log],
  } satisfies SpawnOptions;
  const shell = spawn('/bin/sh', ['-c', script, 'script', ...args], options);
  closeSync(log);
  await once(shell, 'exit');
}

/** The last lines of a log. */
export async function tail(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n');
  return lines.slice(-15).join('\n');
}
