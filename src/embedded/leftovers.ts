import { join } from 'node:path';
import { redisPidFile } from './embedded-redis.js';
import { readPorts } from './ports.js';
import { clusterFolder } from './postgres-cluster.js';
import { stopLeftover } from './processes.js';

/**
 * Ends the servers that an earlier start left running, as when it was killed together with their supervisors.
 * @throws EmbeddedError when one does not end
 */
export async function stopLeftovers(dataDir: string): Promise<void> {
  const cluster = clusterFolder(dataDir);
  const { redis } = await readPorts(dataDir);
  await Promise.all([
    stopLeftover(join(cluster, 'postmaster.pid'), ` -D ${cluster} `, 'SIGINT'),
    // Redis shows its address in place of its command line.
    stopLeftover(redisPidFile(dataDir), ` 127.0.0.1:${redis} `, 'SIGTERM'),
  ]);
}
