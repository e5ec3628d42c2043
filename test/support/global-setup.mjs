/** Jest's globalSetup: builds, starts `services.ts`, finds a browser, and tells every test file of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from '../../scripts/build-if-needed.mjs';
import { findBrowser } from './find-browser.mjs';

export default async function startServices() {
  if (!process.env.TEST_NO_BUILD) await buildIfNeeded();
  process.env.TEST_BROWSER = JSON.stringify(findBrowser());
  const args = [
    '--import',
    new URL('typescript.mjs', import.meta.url).href,
    fileURLToPath(new URL('services.ts', import.meta.url)),
  ];
  // In a process group of its own: Ctrl-C reaches Jest, whose end is what it waits for.
  const services = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const [line] = await Promise.race([once(createInterface(services.stdout), 'line'), once(services, 'exit')]);
  if (typeof line !== 'string')
    throw new Error('The test services did not start; the reason is printed above.');
  const { databaseUrl, redisUrl, folder, poolerUrl } = JSON.parse(line);
  Object.assign(process.env, {
    TEST_DATABASE_URL: databaseUrl,
    TEST_REDIS_URL: redisUrl,
    TEST_FOLDER: folder,
  });
  if (poolerUrl) process.env.TEST_POOLER_URL = poolerUrl;
  globalThis.testServices = services;
}
