import { join } from 'node:path';
import { REQUIRED } from '../config/config.js';
import { sandboxFile } from '../config/embedded-env.js';
import type { Environment } from '../config/environment.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import { Clock } from '../common/clock.js';
import type { RunningService } from '../app/start-service.js';
import { prepareDataDir } from './data-dir.js';
import { DEMO, seedDemo, stockSandbox } from './demo.js';
import { type EmbeddedServices, startEmbedded } from './embedded-services.js';
import { writeJson } from './json-file.js';
import { openKeptClock } from './kept-clock.js';
import { keptPort } from './ports.js';
import { loadSecrets, type Secrets } from './secrets.js';

/** Addresses and names of a running embedded default, for people and for commands. */
export interface SandboxFile {
  base_url: string;
  docs_url: string;
  dashboard_url: string;
  api_key: string;
  tenant_id: string;
  messaging_account_ids: string[];
  dashboard_email: string;
  dashboard_password: string;
  provider_url: string;
  database_url: string;
  redis_url: string;
  webhook_app_secret: string;
  /** Where METRICS_PORT is set. */
  metrics_url?: string;
}

/**
 * Makes the service run without configuration: brings PostgreSQL, Redis, the sandbox provider, secrets and a demo
 * tenant, each only when its variable is missing. Never used with NODE_ENV=production.
 */
export class EmbeddedDefault {
  private constructor(
    /** The variables that were missing, with their values. */
    readonly env: Record<string, string>,
    /** The time of the service and of the sandbox. */
    readonly clock: Clock,
    private readonly dataDir: string,
    private readonly secrets: Secrets,
    private readonly services: EmbeddedServices | undefined,
    private readonly sandbox: SandboxProvider | undefined,
  ) {}

  /**
   * Brings what is missing. If nothing is, returns null and leaves the data folder alone.
   * @throws EmbeddedError that says what to do
   */
  static async start(given: Environment, progress: (line: string) => void): Promise<EmbeddedDefault | null> {
    if (REQUIRED.every((name) => given[name])) return null;
    const dataDir = await prepareDataDir(given.DATA_DIR);
    const needs = { postgres: !given.DATABASE_URL, redis: !given.REDIS_URL };
    // Only with servers does the folder belong to a single process: an API and a worker may share its secrets.
    const services =
      needs.postgres || needs.redis ? await startEmbedded(needs, dataDir, progress) : undefined;
    const secrets = await loadSecrets(dataDir);
    const hasSandbox = !given.PROVIDER_BASE_URL;
    // On a database of somebody's own, or beside other processes, a moved clock would delete and send what is theirs.
    const isAlone = hasSandbox && services?.databaseUrl !== undefined && given.ROLE === 'all';
    const clock = isAlone ? await openKeptClock(dataDir) : new Clock();
    const sandbox = hasSandbox ? await startSandbox(given, dataDir, clock, progress) : undefined;
    const env = {
      HOST: given.HOST ?? '127.0.0.1',
      DATABASE_URL: given.DATABASE_URL ?? services?.databaseUrl ?? '',
      REDIS_URL: given.REDIS_URL ?? services?.redisUrl ?? '',
      PROVIDER_BASE_URL: given.PROVIDER_BASE_URL ?? sandbox?.url ?? '',
      ENCRYPTION_KEY: given.ENCRYPTION_KEY ?? secrets.encryptionKey,
      WEBHOOK_VERIFY_TOKEN: given.WEBHOOK_VERIFY_TOKEN ?? secrets.webhookVerifyToken,
      DASHBOARD_SESSION_SECRET: given.DASHBOARD_SESSION_SECRET ?? secrets.dashboardSessionSecret,
    };
    return new EmbeddedDefault(env, clock, dataDir, secrets, services, sandbox?.provider);
  }

  /**
   * Makes the demo tenant and writes `sandbox.json`. Without the sandbox, it only writes the addresses, for commands.
   * @returns what to show the user, or null without the sandbox
   */
  async introduce(service: RunningService): Promise<SandboxFile | null> {
    const places = {
      base_url: service.url,
      docs_url: `${service.url}/docs`,
      dashboard_url: `${service.url}/dashboard`,
      ...(service.metricsUrl && { metrics_url: `${service.metricsUrl}/metrics` }),
      provider_url: this.env['PROVIDER_BASE_URL'] ?? '',
      database_url: this.env['DATABASE_URL'] ?? '',
      redis_url: this.env['REDIS_URL'] ?? '',
    };
    if (!this.sandbox) {
      await writeJson(sandboxFile(this.dataDir), places);
      return null;
    }
    stockSandbox(this.sandbox, this.secrets, `${service.url}/webhooks/provider`);
    this.sandbox.setWebhook(DEMO.wabaId, `${service.url}/webhooks/provider`);
    this.sandbox.linkService({ url: service.url, apiKey: this.secrets.demoApiKey });
    const tenantId = await seedDemo(service.app, this.sandbox, this.secrets);
    const facts: SandboxFile = {
      ...places,
      api_key: this.secrets.demoApiKey,
      tenant_id: tenantId,
      messaging_account_ids: DEMO.numbers.map((number) => number.apiId),
      dashboard_email: DEMO.email,
      dashboard_password: this.secrets.demoPassword,
      webhook_app_secret: this.secrets.sandboxAppSecret,
    };
    await writeJson(sandboxFile(this.dataDir), facts);
    return facts;
  }

  async stop(): Promise<void> {
    await this.sandbox?.stop();
    await this.services?.stop();
  }
}

async function startSandbox(
  given: Environment,
  dataDir: string,
  clock: Clock,
  progress: (line: string) => void,
) {
  const port = given.SANDBOX_PORT || (await keptPort(dataDir, 'sandbox', progress));
  const provider = new SandboxProvider({
    host: given.SANDBOX_HOST,
    port,
    stateFile: join(dataDir, 'sandbox-state.json'),
    clock,
  });
  const { url } = await provider.start();
  return { provider, url };
}
