/**
 * One PostgreSQL and one Redis for a run of the tests, in a folder of their own. This is a process beside Jest, which
 * prints the URLs and the folder as one line of JSON; with TEST_PGBOUNCER=1 also the URL of a connection pooler for the
 * services under test. With TEST_POSTGRES=pair, PostgreSQL has a standby. When Jest ends, its standard input ends, and it
 * stops and removes everything.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/embedded/embedded-services.js';
import { PgBouncer } from './pgbouncer.js';

const progress = (line: string) => process.stderr.write(`${line}\n`);

async function startPair() {
  const { PostgresPair } = await import('../cluster/postgres-pair.js');
  return PostgresPair.start(folder, progress);
}

const folder = await mkdtemp(join(tmpdir(), 'tms-test-'));
// Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
await chmod(folder, 0o711);
const parentEnded = new Promise((end) => process.stdin.on('end', end).on('error', end).resume());
try {
  const wantsPair = process.env['TEST_POSTGRES'] === 'pair';
  const needs = { postgres: !wantsPair, redis: true };
  const services = await startEmbedded(needs, folder, progress, { durable: false });
  const pair = wantsPair ? await startPair() : null;
  const databaseUrl = pair?.url ?? (services.databaseUrl as string);
  const pooler = process.env['TEST_PGBOUNCER'] ? await PgBouncer.before(databaseUrl) : null;
  const urls = { ...services, databaseUrl, folder, poolerUrl: pooler?.urlOf(databaseUrl) };
  process.stdout.on('error', () => undefined).write(`${JSON.stringify(urls)}\n`);
  await parentEnded;
  await pooler?.stop();
  await pair?.stop();
  await services.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
