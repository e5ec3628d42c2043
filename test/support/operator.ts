import { databaseVariables } from './infrastructure.js';
import type { TestService } from './service.js';

/** The environment in which `npm run admin` finds a service's data. */
export function adminEnv({ config }: TestService): Record<string, string> {
  const { ENCRYPTION_KEY, PROVIDER_BASE_URL } = config;
  return { ...databaseVariables(config), ENCRYPTION_KEY, PROVIDER_BASE_URL };
}

/** Runs SQL on a service's database, like an operator. @returns the rows */
export function runSql(service: TestService, text: string, values: unknown[] = []) {
  return service.database.run<Record<string, any>>({ name: `test_${text.slice(0, 50)}`, text }, values);
}
