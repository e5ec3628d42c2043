import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomBase62 } from '../common/random.js';
import { readJson, writeJson } from './json-file.js';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** How each secret is made. Existing files get secrets that are added here later. */
const MAKE = {
  /** 32 bytes in base64, as ENCRYPTION_KEY */
  encryptionKey: () => randomBytes(32).toString('base64'),
  webhookVerifyToken: () => hex(16),
  dashboardSessionSecret: () => hex(32),
  databasePassword: () => hex(16),
  redisPassword: () => hex(16),
  demoApiKey: () => `tms_${randomBase62(40)}`,
  demoPassword: () => randomBase62(16),
  sandboxAccessToken: () => randomBase62(40),
  sandboxAppSecret: () => hex(16),
};

export type Secrets = Record<keyof typeof MAKE, string>;

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

/** What has been generated so far. */
export const readSecrets = (dataDir: string) => readJson<Secrets>(secretsFile(dataDir));

/** The secrets of the embedded default, generated once and kept in `secrets.json` of the data folder. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const kept = await readSecrets(dataDir);
  const missing = Object.entries(MAKE).filter(([name]) => !kept[name as keyof Secrets]);
  const secrets = { ...kept, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) };
  if (missing.length > 0) await writeJson(secretsFile(dataDir), secrets);
  return secrets as Secrets;
}
