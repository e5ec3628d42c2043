/** Jest's globalTeardown: stops what globalSetup started, and waits until nothing of it is left. */
import { once } from 'node:events';

export default async function stopServices() {
  const services = globalThis.testServices;
  if (!services || services.exitCode !== null) return;
  services.stdin.end();
  await once(services, 'exit');
}
