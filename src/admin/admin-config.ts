import { Clock, MovableClock } from '../common/clock.js';
import { type Config, ConfigError, loadConfig } from '../config/config.js';
import { readClockAhead, readEmbeddedEnv } from '../config/embedded-env.js';

/**
 * The time that the service on the same database goes by: that of the embedded default may have been moved.
 * @throws ConfigError
 */
export async function adminClock(env: NodeJS.ProcessEnv): Promise<Clock> {
  if (env['NODE_ENV'] === 'production' || env['DATABASE_URL']) return new Clock();
  return new MovableClock(await readClockAhead(env['DATA_DIR'] || DEFAULT_DATA_DIR));
}

/** The variables that most commands need; a shell for administration need not know the service's other secrets. */
const NEEDED = ['DATABASE_URL', 'ENCRYPTION_KEY', 'PROVIDER_BASE_URL'] as const;

/** Those that a migration needs. */
export const NEEDED_TO_MIGRATE = ['DATABASE_URL'] as const;

const DEFAULT_DATA_DIR = '.data';

/**
 * The configuration of a command. Except in production, what is missing is taken from the embedded default in
 * DATA_DIR, so that commands work beside `npm start`.
 * @throws ConfigError
 */
export async function adminConfig(
  env: NodeJS.ProcessEnv,
  needed: typeof NEEDED | typeof NEEDED_TO_MIGRATE = NEEDED,
): Promise<Config> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  if (given['NODE_ENV'] === 'production') return loadConfig(given, needed);
  const embedded = await readEmbeddedEnv(given['DATA_DIR'] ?? DEFAULT_DATA_DIR);
  const complete = { ...embedded, ...given };
  if (!complete['DATABASE_URL'])
    throw new ConfigError([
      'DATABASE_URL is not set and no embedded default has run here: start the service with "npm start" first, ' +
        'or set DATABASE_URL',
    ]);
  return loadConfig(complete, needed);
}
