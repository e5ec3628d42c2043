import type { IncomingMessage } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ApiError } from '../../src/common/errors.js';
import type { BodyRules } from '../../src/http/body-reader.js';
import { methodsInExpress } from '../../src/http/express-layers.js';
import type { DirectPaths, DirectServing } from '../../src/http/http-adapter.js';

/** Express as it is, with its own router and body parsers, for tests that compare the service's adapter with it. */
export class StockAdapter extends ExpressAdapter implements DirectServing {
  private readonly app: Express;
  private readonly prefixes: string[] = [];

  constructor() {
    const app = express();
    app.set('case sensitive routing', true);
    super(app);
    this.app = app;
  }

  serveDirectly({ prefix, begin, check, body }: DirectPaths): void {
    this.prefixes.push(prefix);
    this.use(prefix, (request: Request, response: Response, next: NextFunction) => {
      begin(request, response);
      next();
    });
    if (check) {
      this.use(prefix, async (request: Request, _response: Response, next: NextFunction) => {
        await check(request);
        next();
      });
    }
    this.use(prefix, ...parsersOf(body));
  }

  useElsewhere(...handlers: Parameters<DirectServing['useElsewhere']>): void {
    for (const handler of handlers) {
      if (handler.length === 4) this.use(handler);
      else
        this.use((request: Request, response: Response, next: NextFunction) =>
          this.isDirect(request) ? next() : (handler as express.RequestHandler)(request, response, next),
        );
    }
  }

  methodsOf(path: string): string[] {
    return methodsInExpress(this.app, path);
  }

  private isDirect({ path }: Request): boolean {
    return this.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  }
}

function parsersOf({ form, limit }: BodyRules): express.RequestHandler[] {
  const options = { type: () => true, limit };
  return form === 'raw'
    ? [refuseLarger(limit), express.raw({ ...options, inflate: false })]
    : [requireJson, refuseLarger(limit), express.json({ ...options, strict: false })];
}

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  if (request.method === 'GET' || !hasBytes(request) || request.is('application/json')) return next();
  next(
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with "Content-Type: application/json".'),
  );
}

const hasBytes = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

function refuseLarger(limit: number): express.RequestHandler {
  return (request, _response, next) => {
    if (!(Number(request.headers['content-length']) > limit)) return next();
    next(new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than the service takes.'));
  };
}
