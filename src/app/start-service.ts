import type { RequestListener, Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { AppModule } from './app.module.js';
import type { Clock } from '../common/clock.js';
import { AppLogger } from '../common/logger.js';
import type { Config } from '../config/config.js';
import { sessionAccess, workAccess } from '../database/access.js';
import { migrate } from '../database/migrate.js';
import { checkPooler } from '../database/pooler.js';
import { configureHttp } from './http-app.js';
import { type DirectServing, HttpAdapter } from '../http/http-adapter.js';
import { DrainingService } from '../http/draining.service.js';
import { setUpDocs } from '../openapi/openapi.js';
import { OperationsServer, urlOf } from '../http/operations-server.js';

export interface RunningService {
  app: NestExpressApplication;
  /** Where it answers, such as http://127.0.0.1:3000. */
  url: string;
  /** Where health and metrics answer, if on a port of their own. */
  metricsUrl: string | null;
  /**
   * Ends it gracefully: no new work, then what is under way.
   * @param options `drain: false` when nobody has to be given the time to turn to another process
   */
  stop(options?: { drain?: boolean }): Promise<void>;
}

export interface StartOptions {
  clock?: Clock | undefined;
  logger?: AppLogger;
  /** Another one than the service's own; for tests that compare them. */
  adapter?: ExpressAdapter & DirectServing;
}

/** Migrates the database and runs the configured role in this process. */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  await checkPooler(config);
  const source = await new DataSource(
    dataSourceOptions(config.DATABASE_URL, config.DATABASE_POOL, workAccess(config)),
  ).initialize();
  const logger = options.logger ?? new AppLogger(config.LOG_LEVEL, false);
  await migrate(source, logger, sessionAccess(config));
  const adapter = options.adapter ?? new HttpAdapter();
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRole(config, source, options.clock),
    adapter,
    {
      abortOnError: false, // it would end the process without a word where nothing is logged
      bodyParser: false,
      logger,
    },
  );
  const express = app.getHttpAdapter().getInstance() as RequestListener;
  const operations = config.METRICS_PORT === undefined ? null : new OperationsServer(express);
  try {
    configureHttp(app, adapter, operations);
    setUpDocs(app);
    await app.init();
    const metricsUrl = (await operations?.listen(config)) ?? null;
    await app.listen(config.PORT, config.HOST);
    return {
      app,
      url: urlOf(app.getHttpServer(), config.HOST),
      metricsUrl,
      stop: async ({ drain = true } = {}) => {
        await stop(app, config, drain);
        if (operations) await closeServer(operations.server, LAST_SCRAPE);
      },
    };
  } catch (error) {
    await app.close();
    operations?.server.close();
    throw error;
  }
}

/** Milliseconds between two looks for connections that have become idle. */
const IDLE_CHECK = 50;

/** Parts of SHUTDOWN_GRACE that draining may take, and the answers to requests under way after it. */
const DRAIN_SHARE = 0.25;
const ANSWER_SHARE = 0.25;

/** Milliseconds for scrapes that are under way at the very end. */
const LAST_SCRAPE = 1_000;

/**
 * First it asks to be left alone, then takes no more requests and answers those under way, then ends the rest. All the
 * while, metrics and health answer on their own port.
 */
async function stop(app: NestExpressApplication, config: Config, drain: boolean): Promise<void> {
  const grace = config.SHUTDOWN_GRACE * 1000;
  app.get(DrainingService).begin();
  if (drain && config.ROLE !== 'worker')
    await delay(Math.min(config.SHUTDOWN_DRAIN * 1000, grace * DRAIN_SHARE));
  await closeServer(app.getHttpServer(), grace * ANSWER_SHARE);
  await app.close();
}

/** @param patience milliseconds, after which connections are cut: a caller that sends nothing must not hold up the rest */
async function closeServer(server: Server, patience: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK);
  const late = setTimeout(() => server.closeAllConnections(), patience);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(late);
}
