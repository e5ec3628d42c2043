import 'reflect-metadata';
import { AppLogger } from './common/logger.js';
import { sandboxFile } from './config/embedded-env.js';
import { ConfigError, loadConfig, readEnvironment } from './config/config.js';
import { EmbeddedDefault } from './embedded/embedded-default.js';
import { EmbeddedError } from './embedded/embedded-error.js';
import { welcome } from './embedded/welcome.js';
import { readDotEnv } from './config/dot-env.js';
import { startService } from './start-service.js';

/** Runs the service with the environment as it is; what is missing is embedded, except in production. */
async function main(): Promise<void> {
  const given = readDotEnv(process.env);
  const isProduction = given['NODE_ENV'] === 'production';
  const embedded = isProduction ? null : await EmbeddedDefault.start(readEnvironment(given), progress);
  stops.push(() => embedded?.stop());
  const config = loadConfig({ ...given, ...embedded?.env });
  const service = await startService(config, {
    logger: new AppLogger(config.LOG_LEVEL, process.stderr.isTTY),
  });
  stops.push((signal) => service.stop({ drain: signal === 'SIGTERM' }));
  grace = config.SHUTDOWN_GRACE * 1000;
  const facts = await embedded?.introduce(service);
  progress(
    facts ? welcome(facts, sandboxFile(config.DATA_DIR)) : `Listening on ${service.url} as ${config.ROLE}`,
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
  process.stderr.write(`${isUsers ? error.message : explain(error)}\n`);
  void stop(1);
}

/** The usual faults of a start, with what to do about them. */
function explain(error: unknown): string {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or choose another with PORT=3001 npm start.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user: choose one above 1024 with PORT.`;
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${address}:${port}: check DATABASE_URL and that PostgreSQL runs.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0, signal));
main().catch(fail);
