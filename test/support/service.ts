import { MovableClock } from '../../src/common/clock.js';
import { AppLogger } from '../../src/common/logger.js';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/database/database.js';
import { seedDemo, stockSandbox } from '../../src/embedded/demo.js';
import type { Secrets } from '../../src/embedded/secrets.js';
import { SandboxProvider } from '../../src/sandbox/sandbox-provider.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { type RunningService, type StartOptions, startService } from '../../src/app/start-service.js';
import { Api } from './api.js';
import { createMigratedDatabase, poolerVariables, testRedisUrl } from './infrastructure.js';

/** In minutes. */
const YEAR = 525_600;

/** Secrets of the demo tenant in tests. */
export const SECRETS: Secrets = {
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
  webhookVerifyToken: 'a token for tests',
  dashboardSessionSecret: 'a session secret for tests',
  databasePassword: '',
  redisPassword: '',
  demoApiKey: `tms_${'Demo'.repeat(10)}`,
  demoPassword: 'a password for tests',
  sandboxAccessToken: 'a-token-for-the-sandbox',
  sandboxAppSecret: 'an app secret for tests',
};

/** Stands for the real time, which tests can move forward: it tells nobody of a leap, so that looks have to find what is due. */
export class TestClock extends MovableClock {
  override real(): Date {
    return this.now();
  }

  override get ahead(): number {
    return 0;
  }

  override onLeap(): void {}
}

export interface TestService {
  /** Calls the service as the demo tenant. */
  api: Api;
  url: string;
  /** Null unless METRICS_PORT is set. */
  metricsUrl: string | null;
  app: RunningService['app'];
  config: Config;
  database: Database;
  sandbox: SandboxProvider;
  clock: MovableClock;
  tenantId: string;
  stop(): Promise<void>;
}

/** Starts the whole service with the sandbox and the demo's data, on a database of its own. */
export async function startTestService(
  overrides: Partial<Config> = {},
  sandboxOptions: SandboxOptions = {},
  clock: MovableClock = new TestClock(),
): Promise<TestService> {
  const [testDatabase, redisUrl] = await Promise.all([createMigratedDatabase(), testRedisUrl()]);
  const sandbox = new SandboxProvider({
    reviewDelay: 50,
    receiptDelay: 5,
    webhookRetryDelay: 50,
    ...sandboxOptions,
  });
  const { url: providerUrl } = await sandbox.start();
  const config = testConfig({
    DATABASE_URL: testDatabase.serviceUrl,
    REDIS_URL: redisUrl,
    PROVIDER_BASE_URL: providerUrl,
    ...overrides,
  });
  const service = await startService(config, { clock, logger: new AppLogger(config.LOG_LEVEL, false) });
  stockSandbox(sandbox, SECRETS, `${service.url}/webhooks/provider`);
  const tenantId = await seedDemo(service.app, sandbox, SECRETS);
  const stop = async () => {
    await service.stop();
    await sandbox.stop();
    await testDatabase.drop();
  };
  const { app, url, metricsUrl } = service;
  const database = app.get(Database, { strict: false });
  return {
    api: new Api(url, SECRETS.demoApiKey),
    url,
    metricsUrl,
    app,
    config,
    database,
    sandbox,
    clock,
    tenantId,
    stop,
  };
}

/**
 * Starts a second service on the same database and Redis, as an API process or a worker. Its `api` calls it as the demo
 * tenant.
 * @param adapter where requests are to come in another way
 */
export async function startSecondService(
  first: TestService,
  role: 'api' | 'worker' = 'api',
  adapter?: StartOptions['adapter'],
): Promise<{ url: string; api: Api; app: RunningService['app']; stop(): Promise<void> }> {
  const config = Object.assign(new Config(), first.config, { ROLE: role });
  const logger = new AppLogger(config.LOG_LEVEL, false);
  const { app, url, stop } = await startService(config, { clock: first.clock, logger, adapter });
  return { url, api: new Api(url, first.api.key), app, stop };
}

export function testConfig(overrides: Partial<Config>): Config {
  return Object.assign(new Config(), {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: 0,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ENCRYPTION_KEY: SECRETS.encryptionKey,
    WEBHOOK_VERIFY_TOKEN: SECRETS.webhookVerifyToken,
    DASHBOARD_SESSION_SECRET: SECRETS.dashboardSessionSecret,
    THROTTLE_FAILURES: 0,
    SHUTDOWN_GRACE: 5,
    SHUTDOWN_DRAIN: 0,
    RETRY_BASE: 50,
    TEMPLATE_SYNC_INTERVAL: YEAR, // else a sync undoes what a test has changed, as soon as its clock has moved
    ...(overrides.DATABASE_URL && poolerVariables(overrides.DATABASE_URL)),
    ...overrides,
  });
}
