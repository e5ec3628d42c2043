import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError } from './config.js';

/** The file in which a running embedded default tells its addresses, to people and to commands. */
export const sandboxFile = (dataDir: string) => join(resolve(dataDir), 'sandbox.json');

/** The file that says how far the clock of the embedded default was moved. */
export const clockFile = (dataDir: string) => join(resolve(dataDir), 'clock.json');

const secretsFile = (dataDir: string) => join(resolve(dataDir), 'secrets.json');

/**
 * The variables that the embedded default brings for those that are missing, as read from its files; empty when it has
 * never run here.
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

/** Milliseconds by which the clock of the embedded default is ahead. @throws ConfigError when the file cannot be read */
export async function readClockAhead(dataDir: string): Promise<number> {
  const ahead = Number((await readFacts(clockFile(dataDir)))['ahead'] ?? 0);
  if (ahead >= 0) return ahead;
  throw new ConfigError([`DATA_DIR: ${clockFile(dataDir)} has no number of milliseconds`]);
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
