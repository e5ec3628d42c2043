import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../ormconfig.js';
import { AppModule } from './app.module.js';
import type { Clock } from './common/clock.js';
import { AppLogger } from './common/logger.js';
import type { Config } from './config/config.js';
import { migrate } from './database/migrate.js';
import { configureHttp } from './http-app.js';
import { setUpDocs } from './operations/openapi.js';

export interface RunningService {
  app: NestExpressApplication;
  /** Where it answers, such as http://127.0.0.1:3000. */
  url: string;
  /** Ends it gracefully: no new work, then what is under way. */
  stop(): Promise<void>;
}

/** Migrates the database and runs the configured role in this process. */
export async function startService(
  config: Config,
  options: { clock?: Clock; logger?: AppLogger } = {},
): Promise<RunningService> {
  const source = await new DataSource(
    dataSourceOptions(config.DATABASE_URL, config.DATABASE_POOL),
  ).initialize();
  await migrate(source, config.DATABASE_URL);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRole(config, source, options.clock),
    {
      bodyParser: false,
      logger: options.logger ?? new AppLogger(config.LOG_LEVEL, false),
    },
  );
  try {
    configureHttp(app);
    setUpDocs(app);
    await app.listen(config.PORT, config.HOST);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as { port: number };
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  return { app, url: `http://${host}:${port}`, stop: () => stop(app) };
}

/** Milliseconds between two looks for connections that have become idle. */
const IDLE_CHECK = 50;

/** First no new requests and an answer to those under way, then the rest. */
async function stop(app: NestExpressApplication): Promise<void> {
  const server: Server = app.getHttpServer();
  const timer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(timer);
  await app.close();
}
