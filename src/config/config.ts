import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { mailFault } from './alert-channels.js';
import { directUrlFault, poolFault, portFault } from './connections.js';
import { Environment } from './environment.js';

/** Variables without a default in production; elsewhere the embedded default brings them. */
export const REQUIRED = [
  'DATABASE_URL',
  'REDIS_URL',
  'PROVIDER_BASE_URL',
  'WEBHOOK_VERIFY_TOKEN',
  'ENCRYPTION_KEY',
  'DASHBOARD_SESSION_SECRET',
] as const;

/** The real provider. Outside production, a missing `PROVIDER_BASE_URL` means the sandbox instead. */
const PRODUCTION_PROVIDER = 'https://graph.facebook.com';

type Required = (typeof REQUIRED)[number];

/** The checked configuration, injected by this class; every value is present and of its type. */
export class Config extends (Environment as new () => Omit<Environment, Required | 'HOST'> &
  Record<Required | 'HOST', string>) {}

/** A start with faults in the configuration; `faults` has one line for each, none with a value in it. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
}

/**
 * Reads and checks the variables that are set, leaving the required ones open.
 * @throws ConfigError with every fault
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const known = Object.keys(env).filter((name) => env[name] !== '');
  const given = Object.fromEntries(known.map((name) => [name, env[name]]));
  const environment = plainToInstance(Environment, given, { exposeDefaultValues: true });
  if (environment.NODE_ENV === 'production') environment.PROVIDER_BASE_URL ??= PRODUCTION_PROVIDER;
  const faults = validateSync(environment, {
    validationError: { target: false, value: false },
  });
  const wrong = new Set(faults.map(({ property }) => property));
  const all = [...faults.map(topFault), ...jointFaults(environment, wrong)];
  if (all.length > 0) throw new ConfigError(all);
  return environment;
}

/** Faults of variables that are each right but do not fit together. */
function jointFaults(environment: Environment, wrong: Set<string>): string[] {
  const { ROLE, DATABASE_POOL, DATABASE_URL, DATABASE_DIRECT_URL, PORT, METRICS_PORT } = environment;
  const areRight = (...names: string[]) => names.every((name) => !wrong.has(name));
  return [
    areRight('ROLE', 'DATABASE_POOL') ? poolFault(ROLE, DATABASE_POOL) : null,
    areRight('DATABASE_URL') ? directUrlFault(DATABASE_URL, DATABASE_DIRECT_URL) : null,
    areRight('ALERT_SMTP_URL', 'ALERT_MAIL_FROM', 'ALERT_MAIL_TO') ? mailFault(environment) : null,
    areRight('PORT', 'METRICS_PORT') ? portFault(PORT, METRICS_PORT) : null,
  ].filter((fault) => fault !== null);
}

/** The fault of the topmost decorator, which checks the type. It is the last: decorators run from the bottom up. */
function topFault({ property, constraints }: ValidationError): string {
  return Object.values(constraints ?? {}).at(-1) ?? `${property} is not valid`;
}

/**
 * The complete configuration.
 * @param required variables that must be set; a command that uses less of the service needs fewer
 * @throws ConfigError that names every missing or wrong variable
 */
export function loadConfig(env: NodeJS.ProcessEnv, required: readonly Required[] = REQUIRED): Config {
  const faults: string[] = [];
  let environment: Partial<Environment> = {};
  try {
    environment = readEnvironment(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  const given = { ...environment, ...(faults.length > 0 ? env : {}) };
  const production = env['NODE_ENV'] === 'production';
  for (const name of required) {
    if (given[name] || (production && name === 'PROVIDER_BASE_URL')) continue;
    faults.push(
      `${name} is not set${production ? ' (NODE_ENV=production never uses the embedded default)' : ''}`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.assign(new Config(), environment, { HOST: environment.HOST ?? '0.0.0.0' });
}
