import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError } from './config.js';

/** Where a running embedded default tells its facts, for people and for commands beside it. */
export const sandboxFile = (dataDir: string) => join(resolve(dataDir), 'sandbox.json');

const secretsFile = (dataDir: string) => join(resolve(dataDir), 'secrets.json');

/**
 * The variables that the embedded default has brought where they were missing, as far as its files tell; empty when
 * there never was one.
 * @throws ConfigError when a file cannot be read
 */
export async function readEmbeddedEnv(dataDir: string): Promise<Record<string, string>> {
  const [facts, secrets] = await Promise.all([
    readFacts(sandboxFile(dataDir)),
    readFacts(secretsFile(dataDir)),
  ]);
  const variables = {
    DATABASE_URL: facts['database_url'],
    REDIS_URL: facts['redis_url'],
    PROVIDER_BASE_URL: facts['provider_url'],
    ENCRYPTION_KEY: secrets['encryptionKey'],
    WEBHOOK_VERIFY_TOKEN: secrets['webhookVerifyToken'],
    DASHBOARD_SESSION_SECRET: secrets['dashboardSessionSecret'],
  };
  const known = Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(known);
}

async function readFacts(file: string): Promise<Record<string, string | undefined>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new ConfigError([`DATA_DIR: ${file} cannot be read (${code ?? 'it is not valid JSON'})`]);
  }
}
