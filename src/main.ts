import 'reflect-metadata';
import { AppLogger } from './common/logger.js';
import { sandboxFile } from './config/embedded-env.js';
import { ConfigError, loadConfig, readEnvironment } from './config/config.js';
import { EmbeddedDefault } from './embedded/embedded-default.js';
import { EmbeddedError } from './embedded/embedded-error.js';
import { welcome } from './embedded/welcome.js';
import { readDotEnv } from './config/dot-env.js';
import { explainStartFault } from './app/start-fault.js';
import { startService } from './app/start-service.js';

/** Runs the service with the environment as it is; what is missing is embedded, except in production. */
async function main(): Promise<void> {
  const given = readDotEnv(process.env);
  const isProduction = given['NODE_ENV'] === 'production';
  const embedded = isProduction ? null : await EmbeddedDefault.start(readEnvironment(given), progress);
  stops.push(() => embedded?.stop());
  const config = loadConfig({ ...given, ...embedded?.env });
  const service = await startService(config, {
    clock: embedded?.clock,
    logger: new AppLogger(config.LOG_LEVEL, process.stderr.isTTY),
  });
  stops.push((signal) => service.stop({ drain: signal === 'SIGTERM' }));
  grace = config.SHUTDOWN_GRACE * 1000;
  const facts = await embedded?.introduce(service);
  const metrics = service.metricsUrl ? `, health and metrics on ${service.metricsUrl}` : '';
  progress(
    facts
      ? welcome(facts, sandboxFile(config.DATA_DIR))
      : `Listening on ${service.url} as ${config.ROLE}${metrics}`,
  );
}

/** What ends what was started, in the order of the starts. */
const stops: ((signal?: Signal) => Promise<void> | undefined)[] = [];
let grace = 25_000;
let stopping = false;

/** SIGTERM comes from what runs processes, SIGINT (Ctrl-C) from people, who do not wait. */
type Signal = 'SIGTERM' | 'SIGINT';

async function stop(exitCode: number, signal?: Signal): Promise<void> {
  if (stopping) return;
  stopping = true;
  // What is not ended by then is recovered by the next process.
  setTimeout(() => process.exit(1), grace).unref();
  for (const end of stops.toReversed()) await end(signal);
  process.exit(exitCode);
}

function progress(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): void {
  const isUsers = error instanceof ConfigError || error instanceof EmbeddedError;
  process.stderr.write(`${isUsers ? error.message : explainStartFault(error)}\n`);
  void stop(1);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0, signal));
main().catch(fail);
