import type { LoggerService } from '@nestjs/common';
import { pino, type Level, type Logger } from 'pino';

/** Fields that never appear in a log, at whatever depth. */
const REDACTED = ['accessToken', 'appSecret', 'authorization', 'password', 'access_token', 'app_secret'];

/** Nest's own running commentary of a start, which only its debugging needs. */
const COMMENTARY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's logger on pino: JSON lines on standard error, so that standard output stays free for commands. */
export class AppLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: string, pretty: boolean) {
    const options = {
      level,
      redact: REDACTED.flatMap((name) => [name, `*.${name}`]),
      serializers: { error: pino.stdSerializers.err },
    };
    this.pino = pretty
      ? pino({
          ...options,
          transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
        })
      : pino(options, pino.destination({ dest: 2, sync: false }));
  }

  log(message: unknown, ...context: unknown[]): void {
    this.write(COMMENTARY.has(String(context.at(-1))) ? 'debug' : 'info', message, context);
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.write('warn', message, context);
  }

  error(message: unknown, ...context: unknown[]): void {
    this.write('error', message, context);
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.write('fatal', message, context);
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.write('trace', message, context);
  }

  /** Nest hands over the context last, and the stack of an error before it. */
  private write(level: Level, message: unknown, extra: unknown[]): void {
    const context = extra.at(-1);
    const stack = extra.length > 1 ? extra[0] : undefined;
    const fields = typeof message === 'object' && message !== null ? message : { message };
    const { message: text, ...rest } = fields as { message?: unknown };
    this.pino[level]({ context, ...(stack ? { stack } : {}), ...rest }, String(text ?? ''));
  }
}
