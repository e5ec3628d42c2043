import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Counter } from 'prom-client';
import { ApiKeyAuthentication } from '../accounts/api-key-authentication.js';
import type { AuthenticatedRequest } from '../accounts/current-caller.js';
import { ApiErrorFilter } from '../http/api-error.filter.js';
import { ApiError } from '../common/errors.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { guardRequests } from '../http/request-gate.js';
import { assignRequestId } from '../http/request-id.js';
import { secure, secureData } from '../http/security-headers.js';
import { RequestValidationPipe } from '../http/validation.pipe.js';
import { Config } from '../config/config.js';
import { serveDashboard } from '../dashboard/page/dashboard-page.js';
import { SessionAuthentication } from '../dashboard/sessions/session-authentication.js';
import {
  CommitUnknownError,
  isDatabaseUnavailable,
  isTooLate,
  isValueRefused,
  QueueFullError,
} from '../database/database-errors.js';
import { bodyReader } from '../http/body-reader.js';
import type { DirectServing } from '../http/http-adapter.js';
import { DrainingService } from '../http/draining.service.js';
import type { OperationsServer } from '../http/operations-server.js';
import { ProxySenseService } from '../http/proxy-sense.service.js';
import { operationBodyLimits, operationScopes } from './operation-scopes.js';

/** Bytes of a body at most; the provider sends payloads of up to 3 MB. */
const LIMITS = { api: 256 * 1024, webhooks: 3 * 1024 * 1024 };

/** Seconds after which a caller may try again while the database is out. */
const DATABASE_RETRY_AFTER = 2;

/** Milliseconds by which a connection on which nothing was sent yet outlives one that became idle. */
const HEADERS_MARGIN = 5_000;

/**
 * Everything between the socket and the controllers, in its order.
 * @param adapter of the application
 * @param operations the second server, where metrics have a port of their own
 */
export function configureHttp(
  app: NestExpressApplication,
  adapter: DirectServing,
  operations: OperationsServer | null,
): void {
  const config = app.get(Config);
  const servers: Server[] = [app.getHttpServer(), ...(operations ? [operations.server] : [])];
  for (const server of servers) keepConnections(server, config.KEEP_ALIVE_TIMEOUT * 1000);
  const filter = new ApiErrorFilter(translateError, (path) => adapter.methodsOf(path), errorCounter(app));
  const draining = app.get(DrainingService);
  const proxySense = app.get(ProxySenseService);
  app.set('trust proxy', config.TRUSTED_PROXIES);
  app.set('etag', false); // controllers set the ETags that are worth their price
  app.set('x-powered-by', false);
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    assignRequestId(request, response);
    draining.closeConnection(response);
    proxySense.notice(request);
  };
  if (config.ROLE !== 'worker') serveDirectly(app, adapter, begin);
  adapter.useElsewhere((request: Request, response: Response, next: NextFunction) => {
    begin(request, response);
    next();
  });
  adapter.useElsewhere(secure);
  if (operations) adapter.useElsewhere(operations.keepApart);
  adapter.useElsewhere(onlyFor('GET', compression()));
  if (config.ROLE !== 'worker') configureDashboard(app, proxySense);
  adapter.useElsewhere((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    filter.answer(error, request, response),
  );
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestValidationPipe());
  const bodyTime = { period: config.BODY_TIMEOUT * 1000, isUpload };
  for (const server of servers) guardRequests(server, { begin, filter, bodyTime });
}

function errorCounter(app: NestExpressApplication): (code: string) => void {
  const errors = new Counter({
    name: 'tms_error_answers_total',
    help: 'Requests of any kind that were answered with an error, by its code',
    labelNames: ['code'],
    registers: [app.get(MetricsRegistry)],
  });
  return (code) => errors.inc({ code });
}

/** The API and the webhooks: the key and its scope are checked before the body is read. */
function serveDirectly(
  app: NestExpressApplication,
  adapter: DirectServing,
  beginAny: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const pack = compression();
  const begin = (request: Request, response: Response) => {
    beginAny(request, response);
    secureData(response);
    // Left out where the caller takes nothing packed anyway: it costs the list of templates a quarter of its rate.
    if (request.method === 'GET' && request.headers['accept-encoding']) pack(request, response, () => {});
  };
  const keys = app.get(ApiKeyAuthentication);
  const modules = app.get(ModulesContainer);
  const scopes = operationScopes(modules);
  adapter.serveDirectly({
    prefix: '/api',
    begin,
    check: keys.check,
    admit: (request: AuthenticatedRequest, { name }) => keys.admit(request, scopes.get(name)),
    body: { form: 'json', limit: LIMITS.api },
    bodyLimits: operationBodyLimits(modules),
  });
  adapter.serveDirectly({ prefix: '/webhooks', begin, body: { form: 'raw', limit: LIMITS.webhooks } });
}

function configureDashboard(app: NestExpressApplication, proxySense: ProxySenseService): void {
  serveDashboard(app);
  app.use('/dashboard/api', (request: Request, _response: Response, next: NextFunction) => {
    proxySense.notice(request, request.secure);
    next();
  });
  app.use('/dashboard/api', app.get(SessionAuthentication).handle);
  app.use('/dashboard/api', unlessUpload(bodyReader({ form: 'json', limit: LIMITS.api })));
}

/**
 * A proxy keeps idle connections for a minute or so. Closed by us before that, some would be closed just as the proxy
 * sends a request, which fails then. The same goes for connections that it opens in advance.
 * @param idle milliseconds for which one is kept on which nothing happens
 */
function keepConnections(server: Server, idle: number): void {
  server.keepAliveTimeout = idle;
  server.headersTimeout = idle + HEADERS_MARGIN;
  server.requestTimeout = 0; // bodies have a time of their own (request-gate.ts)
}

function translateError(error: unknown): ApiError | null {
  if (isValueRefused(error))
    return new ApiError('VALIDATION_FAILED', 'The request has a value that is out of bounds.');
  if (!isDatabaseUnavailable(error)) return null;
  return new ApiError('SERVICE_UNAVAILABLE', whyUnavailable(error), [], DATABASE_RETRY_AFTER);
}

function whyUnavailable(error: unknown): string {
  if (error instanceof CommitUnknownError)
    return (
      'The database was lost while it stored the request, which may have been accepted. Repeat it with the same ' +
      'Idempotency-Key; if it had none, see GET /api/v1/messages first.'
    );
  if (error instanceof QueueFullError)
    return 'More is waiting to be stored than the service keeps; nothing was accepted. Try again.';
  if (isTooLate(error)) return 'The database has not answered in time; nothing was accepted. Try again.';
  return 'The database cannot be reached; nothing was accepted. Try again.';
}

/** Uploads are streamed. */
function unlessUpload(handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    request.path.startsWith('/uploads/') ? next() : handler(request, response, next);
}

/** Streamed, and may be large. */
function isUpload({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/dashboard/api/uploads/');
}

function onlyFor(method: string, handler: RequestHandler): RequestHandler {
  return (request, response, next) => (request.method === method ? handler(request, response, next) : next());
}
