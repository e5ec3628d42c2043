import { expect, it } from '@jest/globals';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { startService } from '../src/app/start-service.js';
import { useTestService } from './support/test-service.js';

const DAY = 86_400_000;

/** A logger that keeps warnings. */
class KeptLogger extends AppLogger {
  readonly warnings: unknown[] = [];

  constructor() {
    super('silent', false);
  }

  override warn(message: unknown): void {
    this.warnings.push(message);
  }

  override error(message: unknown): void {
    this.warnings.push(message);
  }
}

const running = useTestService();

/** The warnings in the log when the service starts at this time. */
async function warningsOfStart(at: string): Promise<unknown[]> {
  const { config, clock } = running();
  clock.forward(Date.parse(at) - clock.now().getTime());
  const logger = new KeptLogger();
  const old = Object.assign(new Config(), config, { ROLE: 'api', PROVIDER_API_VERSION: 'v23.0' });
  const second = await startService(old, { clock, logger });
  await second.stop({ drain: false });
  return logger.warnings;
}

it('warns at the start about a version of the API that ends soon or has ended', async () => {
  const end = Date.parse('2027-10-08');
  const before = (days: number) => new Date(end - days * DAY).toISOString();
  const about = expect.stringContaining('Version v23.0');
  expect(await warningsOfStart(before(92))).not.toContainEqual(about);
  expect(await warningsOfStart(before(89))).toContainEqual(expect.stringContaining('ends on 2027-10-08'));
  expect(await warningsOfStart(before(-1))).toContainEqual(expect.stringContaining('ended on 2027-10-08'));
});
