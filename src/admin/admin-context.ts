import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { ApiError } from '../common/errors.js';
import { AppLogger } from '../common/logger.js';
import { type Config, ConfigError } from '../config/config.js';
import { sessionAccess, workAccess } from '../database/access.js';
import { migrate } from '../database/migrate.js';
import { checkPooler } from '../database/pooler.js';
import { adminClock, adminConfig, NEEDED_TO_MIGRATE } from './admin-config.js';
import { AdminModule } from './admin.module.js';

/** Lower levels would tell what the result on standard output says already. */
const LOG_LEVEL = 'warn';

/** The service's features on a database of this version's schema, for one command. */
export class AdminContext {
  private constructor(private readonly app: INestApplicationContext) {}

  /** @throws ConfigError, or ApiError SERVICE_UNAVAILABLE when there is no database to be had */
  static async open(env: NodeJS.ProcessEnv): Promise<AdminContext> {
    const [config, clock] = await Promise.all([adminConfig(env), adminClock(env)]);
    const source = await connect(config);
    try {
      const logger = new AppLogger(LOG_LEVEL, false);
      await migrate(source, logger, sessionAccess(config));
      const options = { logger, abortOnError: false };
      return new AdminContext(
        await NestFactory.createApplicationContext(AdminModule.with(config, source, clock), options),
      );
    } catch (error) {
      if (source.isInitialized) await source.destroy();
      throw error;
    }
  }

  get<Service>(type: Type<Service>): Service {
    return this.app.get(type, { strict: false });
  }

  async close(): Promise<void> {
    await this.app.close();
  }
}

/**
 * Brings the database to this version's schema, and does nothing else: a deploy's first step.
 * @returns the names of the migrations that were run
 * @throws as {@link AdminContext.open}
 */
export async function migrateDatabase(env: NodeJS.ProcessEnv): Promise<string[]> {
  const config = await adminConfig(env, NEEDED_TO_MIGRATE);
  const source = await connect(config);
  try {
    return await migrate(source, new AppLogger(LOG_LEVEL, false), sessionAccess(config));
  } finally {
    await source.destroy();
  }
}

async function connect(config: Config): Promise<DataSource> {
  try {
    await checkPooler(config);
    return await new DataSource(
      dataSourceOptions(config.DATABASE_URL, undefined, workAccess(config)),
    ).initialize();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Only the error's code is given as the reason: PostgreSQL's message repeats parts of the URL.
    const { code } = error as { code?: string };
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The database cannot be used: start the service with "npm start" first, or check DATABASE_URL and that ' +
        'PostgreSQL runs.',
      [{ field: 'DATABASE_URL', reason: code ?? 'no answer' }],
    );
  }
}
