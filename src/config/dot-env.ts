import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The environment. Variables that it does not set come from `.env` in the working directory. */
export function readDotEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...env } : env;
}
