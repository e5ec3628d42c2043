import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.js';
import { readJson, writeJson } from './json-file.js';
import { poll } from './processes.js';

export type Service = 'postgres' | 'redis' | 'sandbox';
type Ports = Record<Service, number>;

/** Below the ports that systems use for outgoing connections, so that a kept port stays free. */
const RANGE = [20_000, 30_000] as const;

/** Not by `get-port` (7.2.0), which takes a port that it has given to this process for used, for 15 s and more. */
function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => done(true)));
  });
}

/** A port that nothing uses now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(...RANGE);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedError(`No free port found between ${RANGE.join(' and ')}: stop what uses them.`);
}

const portsFile = (dataDir: string) => join(dataDir, 'ports.json');

export const readPorts = (dataDir: string) => readJson<Ports>(portsFile(dataDir));

/**
 * The service's port: at first a free one, from then on the same. If another program has taken it meanwhile, a new one
 * is chosen and the user is told.
 */
export async function keptPort(
  dataDir: string,
  service: Service,
  progress: (line: string) => void,
): Promise<number> {
  const ports = await readPorts(dataDir);
  const kept = ports[service];
  // Waits a little, as a server that was just stopped may not have released the port yet.
  if (kept && (await poll(() => isFree(kept), 500))) return kept;
  const port = await freePort();
  if (kept) progress(`Port ${kept} of ${service} is in use by another program; it is ${port} from now on`);
  await writeJson(portsFile(dataDir), { ...ports, [service]: port });
  return port;
}

/** The error when another program has taken the port between its choice and its use. */
export function portInUse(service: Service, port: number): EmbeddedError {
  return new EmbeddedError(
    `Port ${port} of ${service} is in use by another program: start again for another port.`,
  );
}
