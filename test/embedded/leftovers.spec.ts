import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** Another process that starts the services, as the server does. */
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

/** The processes that started these: without them nobody stops the servers. */
async function supervisorsOf(pids: number[]): Promise<number[]> {
  const parents = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
  });
  const supervisors = await Promise.all(parents);
  const watchers = supervisors.map((pid) => readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  const children = (await Promise.all(watchers)).flatMap((list) => list.trim().split(' ').map(Number));
  return [...supervisors, ...children.filter((pid) => !pids.includes(pid))];
}

describe('nothing is left running', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('after %s', async (signal) => {
    const service = await startProcess();
    service.process.kill(signal);
    await eventually(async () => expect(await stillRunning(service.servers)).toEqual([]));
  });
});

/** Elsewhere the supervisors are harder to find. */
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('servers that were left running', () => {
  it('are stopped by the next start', async () => {
    const service = await startProcess();
    const client = new Client({ connectionString: service.urls.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept ()');
    for (const pid of await supervisorsOf(service.servers)) process.kill(pid, 'SIGKILL');
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
