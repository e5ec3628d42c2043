/**
 * One PostgreSQL and one Redis for a run of the tests, in a folder of their own. A process beside Jest, so that all of
 * it goes when Jest does: it prints the URLs as one line of JSON and clears up when its standard input ends.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/embedded/embedded-services.js';

const progress = (line: string) => process.stderr.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
// As root PostgreSQL runs as another user, which has to pass through.
await chmod(folder, 0o711);
const parentEnded = new Promise((end) => process.stdin.on('end', end).on('error', end).resume());
try {
  const services = await startEmbedded({ postgres: true, redis: true }, folder, progress, { durable: false });
  process.stdout.on('error', () => undefined).write(`${JSON.stringify(services)}\n`);
  await parentEnded;
  await services.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
