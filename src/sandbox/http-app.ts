import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { clockPage } from './clock-page.js';
import { controlRoutes } from './control-routes.js';
import { eventRoutes } from './event-routes.js';
import type { FileStore } from './file-store.js';
import { GraphError } from './graph-error.js';
import type { GraphParts } from './graph-parts.js';
import { graphRoutes } from './graph-routes.js';
import { newTraceId } from './ids.js';
import { inboxRoutes } from './inbox-routes.js';
import { indexPage } from './index-page.js';
import { serveFile, uploadRoutes } from './upload-routes.js';

const DEFAULT_VERSION = 'v25.0';

/** The app with all of the sandbox's routes. */
export function createApp(parts: GraphParts, files: FileStore): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => {
    response.type('html').send(indexPage(parts));
  });
  app.use(inboxRoutes(parts));
  app.use(eventRoutes(parts));
  app.get('/clock', (_request, response) => {
    response.type('html').send(clockPage(parts.clock));
  });
  app.get('/files/:key', serveFile(files));
  app.use('/control', controlRoutes(parts));
  // Uploads first: their bodies are bytes, whatever type they claim to be.
  app.use(defaultVersion);
  const tellUsage: RequestHandler<{ version: string }> = (_request, response, next) => {
    response.set('x-app-usage', JSON.stringify(parts.limits.appUsage()));
    next();
  };
  app.use('/:version', versionsOnly, tellUsage, uploadRoutes({ ...parts, files }), graphRoutes(parts));
  app.use((request: Request) => {
    throw unknownPath(request);
  });
  app.use(answerError);
  return app;
}

/** Gives a path without a version the provider's default version. */
function defaultVersion(request: Request, _response: Response, next: NextFunction): void {
  if (!/^\/v[\d.]+(\/|$)/.test(request.path)) request.url = `/${DEFAULT_VERSION}${request.url}`;
  next();
}

function versionsOnly(request: Request<{ version: string }>, _response: Response, next: NextFunction): void {
  if (!/^v\d+\.\d+$/.test(request.params.version)) throw unknownPath(request);
  next();
}

function unknownPath({ originalUrl }: Pick<Request, 'originalUrl'>): GraphError {
  return new GraphError(2500, `Unknown path components: ${originalUrl.split('?')[0]?.slice(0, 200)}`);
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const fault = error instanceof GraphError ? error : asGraphError(error);
  const traceId = newTraceId();
  if (fault.extras.retryAfter !== undefined) response.set('retry-after', String(fault.extras.retryAfter));
  response.set('x-fb-trace-id', traceId);
  response.status(fault.status).json(fault.toBody(traceId));
};

/** Faults of the body parser and the router carry an HTTP status; anything else is the sandbox's own. */
function asGraphError(error: unknown): GraphError {
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status !== 'number' || status < 400 || status > 499) {
    return new GraphError(1, 'An unknown error occurred in the sandbox.', { status: 500 });
  }
  const details = status === 413 ? 'The request body is too large.' : 'The request could not be read.';
  return new GraphError(100, details, { status });
}
