import { expect } from '@jest/globals';
import { TestCluster } from './redis-cluster.js';

/** The clusters of this process, each with the file that uses it now: one file runs after the other. */
const clusters: { cluster: TestCluster; file: string }[] = [];

/** An empty cluster that no other caller in the file has. It ends with this process. */
export async function ownCluster(): Promise<TestCluster> {
  const file = expect.getState().testPath ?? '';
  const free = clusters.find((one) => one.file !== file);
  if (!free) {
    const cluster = await TestCluster.start({ parent: process.env['TEST_FOLDER']! });
    clusters.push({ cluster, file });
    return cluster;
  }
  free.file = file;
  await free.cluster.clear();
  return free.cluster;
}
