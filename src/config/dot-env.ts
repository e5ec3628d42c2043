import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The environment, with the variables of a `.env` file in the working directory where it does not set them. */
export function readDotEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...env } : env;
}
