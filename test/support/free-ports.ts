import { freePort } from '../../src/embedded/ports.js';

/** Ports that no other caller in this process gets again, as their servers start later than the next look. */
const given = new Set<number>();

/** Jest's workers take ports of different remainders, as none of them knows what the others were given. */
const WORKERS = 8;
const WORKER = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;

/** Free ports of 127.0.0.1, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (given.has(port) || port % WORKERS !== WORKER) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}
