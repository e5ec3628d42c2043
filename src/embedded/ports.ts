import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.js';
import { readJson, writeJson } from './json-file.js';
import { poll } from './processes.js';

export type Service = 'postgres' | 'redis' | 'sandbox';
type Ports = Record<Service, number>;

/** Below the range from which systems take the ports of outgoing connections, so that a kept one stays free. */
const RANGE = [20_000, 30_000] as const;

/** Not by `get-port` (7.2.0), which takes a port that it has given to this process for used, for 15 s and more. */
function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => done(true)));
  });
}

async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(...RANGE);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedError(`No free port found between ${RANGE.join(' and ')}: stop what uses them.`);
}

const portsFile = (dataDir: string) => join(dataDir, 'ports.json');

export const readPorts = (dataDir: string) => readJson<Ports>(portsFile(dataDir));

/**
 * The service's port: a free one at first, the same from then on. Where another program has taken it meanwhile, a new
 * one, saying so.
 */
export async function keptPort(
  dataDir: string,
  service: Service,
  progress: (line: string) => void,
): Promise<number> {
  const ports = await readPorts(dataDir);
  const kept = ports[service];
  // Waits a little: a server that has just been stopped may not have let go of it.
  if (kept && (await poll(() => isFree(kept), 500))) return kept;
  const port = await freePort();
  if (kept) progress(`Port ${kept} of ${service} is in use by another program; it is ${port} from now on`);
  await writeJson(portsFile(dataDir), { ...ports, [service]: port });
  return port;
}

/** What is said when another program was faster, between the choice of the port and its use. */
export function portInUse(service: Service, port: number): EmbeddedError {
  return new EmbeddedError(
    `Port ${port} of ${service} is in use by another program: start again for another port.`,
  );
}
