import { freePort } from '../../src/embedded/ports.js';

/** Ports that no other caller in this process gets again, as their servers start later than the next look. */
const given = new Set<number>();

/** Free ports of 127.0.0.1, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (given.has(port)) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}
