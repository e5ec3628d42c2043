import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startEmbedded, type EmbeddedUrls } from '../../src/embedded/embedded-services.js';
import { commandLine } from '../../src/embedded/processes.js';
import { eventually } from '../support/eventually.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const BOTH = { postgres: true, redis: true };

const folder = useTemporaryFolder();

interface Service {
  process: ChildProcess;
  urls: EmbeddedUrls;
  servers: number[];
}

const pidIn = async (...path: string[]) =>
  Number.parseInt(await readFile(join(folder(), ...path), 'utf8'), 10);

/** Starts the services in another process, as the server does. */
async function startProcess(): Promise<Service> {
  const args = ['--import', './test/support/typescript.mjs', 'test/embedded/start.ts', folder()];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const servers = [await pidIn('postgres', 'postmaster.pid'), await pidIn('redis', 'redis.pid')];
  return { process: child, urls: JSON.parse(line) as EmbeddedUrls, servers };
}

async function stillRunning(pids: number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map(commandLine));
  return pids.filter((_, index) => lines[index]);
}

/** Every process with its parent. */
async function allProcesses(): Promise<{ pid: number; parent: number }[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-Ao', 'pid=,ppid=']);
    const pairs = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.map(([pid = 0, parent = 0]) => ({ pid, parent }));
  }
  // Not by ps, as some Debian systems have none.
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const statuses = pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
  return (await Promise.all(statuses)).map((status, i) => ({
    pid: pids[i] as number,
    parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]),
  }));
}

/** The parents of these processes, and the parents' other children: without them nobody stops the servers. */
async function supervisorsOf(pids: number[]): Promise<number[]> {
  const all = await allProcesses();
  const supervisors = all.filter(({ pid }) => pids.includes(pid)).map(({ parent }) => parent);
  const watchers = all.filter(({ pid, parent }) => supervisors.includes(parent) && !pids.includes(pid));
  return [...supervisors, ...watchers.map(({ pid }) => pid)];
}

describe('nothing is left running', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('after %s', async (signal) => {
    const service = await startProcess();
    service.process.kill(signal);
    await eventually(async () => expect(await stillRunning(service.servers)).toEqual([]));
  });
});

describe('servers that were left running', () => {
  it('are stopped by the next start', async () => {
    const service = await startProcess();
    const client = new Client({ connectionString: service.urls.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept ()');
    const supervisors = new Set(await supervisorsOf(service.servers));
    // All are stopped before the first is killed, or the others would stop the servers.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
      for (const pid of supervisors) process.kill(pid, signal);
    service.process.kill('SIGKILL');
    await once(service.process, 'exit');
    expect(await stillRunning(service.servers)).toEqual(service.servers);

    const next = await startEmbedded(BOTH, folder(), () => undefined, { durable: false });
    expect(next).toMatchObject(service.urls);
    expect(await stillRunning(service.servers)).toEqual([]);
    await client.end().catch(() => undefined);
    await next.stop();
  });
});
