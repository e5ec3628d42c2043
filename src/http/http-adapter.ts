import { createServer, type Server } from 'node:http';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { HTTPMethod } from 'find-my-way';
import { answerJson } from './answer.js';
import { type BodyRules, readBody } from './body-reader.js';
import { DirectRoutes, type FoundRoute, type RouteHandler } from './direct-routes.js';
import { layersOf, mayRunUnder, methodsInExpress } from './express-layers.js';
import { messageClassesOf } from './message-classes.js';

/** Paths that are answered without Express, and what comes before their routes. */
export interface DirectPaths {
  /** Their first segment, as in `/api`. */
  prefix: string;
  /** What every answer begins with. */
  begin(request: Request, response: Response): void;
  /** Finds out who asks, before the body is read. @throws what the exception filters answer */
  check?(request: Request): Promise<void>;
  /** Looks whether that one may do this, before the body is read. @throws what the exception filters answer */
  admit?(request: Request, route: FoundRoute): void;
  body: BodyRules;
  /** Bytes that the bodies of some routes may have instead of those of `body`, by the names of the routes. */
  bodyLimits?: ReadonlyMap<string, number>;
}

/** What an application is composed of beside its Nest modules. */
export interface DirectServing {
  /** To be called before the application is initialised. */
  serveDirectly(paths: DirectPaths): void;
  /** Express middlewares for all other paths. */
  useElsewhere(...handlers: ExpressHandler[]): void;
  /** The methods that the path has routes for. */
  methodsOf(path: string): string[];
}

type ExpressHandler = express.RequestHandler | express.ErrorRequestHandler;
type ErrorHandler = (error: unknown, request: Request, response: Response, next: NextFunction) => unknown;

/**
 * Express, with some paths routed past it: straight to the handlers that Nest makes of its controllers, so that guards,
 * pipes, interceptors and filters act there as anywhere. Express' router and body parser cost more than all else about a
 * small request (docs/benchmarks.md). Its middlewares do not run on these paths: starting fails where one would.
 *
 * A path has one spelling, and what is checked by a path's beginning is what its routes answer.
 */
export class HttpAdapter extends ExpressAdapter implements DirectServing {
  private readonly log = new Logger(HttpAdapter.name);
  /** Of the direct paths. */
  readonly routes = new DirectRoutes();
  private readonly app: Express;
  private readonly direct: DirectPaths[] = [];
  /** Layers of Express that have no part in the direct paths, though by their own they would run there. */
  private readonly elsewhere: WeakSet<object>;
  private notFound: RouteHandler = notInitialised;
  private failed: ErrorHandler = notInitialised;

  constructor() {
    const app = express();
    app.set('case sensitive routing', true); // before Nest's adapter makes its router
    super(app);
    this.app = app;
    this.elsewhere = new WeakSet(layersOf(app)); // for the hooks that are refused below
  }

  serveDirectly(paths: DirectPaths): void {
    this.direct.push(paths);
  }

  useElsewhere(...handlers: ExpressHandler[]): void {
    this.addElsewhere(() => this.use(...handlers));
  }

  methodsOf(path: string): string[] {
    return this.directPathsOf(path) ? this.routes.methodsOf(path) : methodsInExpress(this.app, path);
  }

  override initHttpServer({
    httpsOptions,
    forceCloseConnections,
    return503OnClosing,
  }: NestApplicationOptions): void {
    if (httpsOptions || forceCloseConnections || return503OnClosing)
      throw new Error('The service has its own way to end connections, and no TLS.');
    this.httpServer = createServer(messageClassesOf(this.app), (request, response) =>
      this.serve(request as Request, response as Response),
    );
  }

  override get(...args: [unknown, unknown?]) {
    return this.routeDirectly('GET', args) || super.get(...(args as Parameters<ExpressAdapter['get']>));
  }

  override post(...args: [unknown, unknown?]) {
    return this.routeDirectly('POST', args) || super.post(...(args as Parameters<ExpressAdapter['post']>));
  }

  override put(...args: [unknown, unknown?]) {
    return this.routeDirectly('PUT', args) || super.put(...(args as Parameters<ExpressAdapter['put']>));
  }

  override patch(...args: [unknown, unknown?]) {
    return this.routeDirectly('PATCH', args) || super.patch(...(args as Parameters<ExpressAdapter['patch']>));
  }

  override delete(...args: [unknown, unknown?]) {
    return (
      this.routeDirectly('DELETE', args) || super.delete(...(args as Parameters<ExpressAdapter['delete']>))
    );
  }

  /** The usual answer, an object as JSON, goes out as it is; Express would look at its type, freshness and settings. */
  override reply(response: Response, body: unknown, status = response.statusCode): unknown {
    const isUsual = isPlainObject(body) && !response.hasHeader('Content-Type') && !response.hasHeader('ETag');
    return isUsual ? answerJson(response, status, body) : super.reply(response, body, status);
  }

  override setNotFoundHandler(...args: Parameters<ExpressAdapter['setNotFoundHandler']>): void {
    this.notFound = args[0] as RouteHandler;
    this.addElsewhere(() => super.setNotFoundHandler(...args));
  }

  override setErrorHandler(...args: Parameters<ExpressAdapter['setErrorHandler']>): void {
    this.failed = args[0] as ErrorHandler;
    this.addElsewhere(() => super.setErrorHandler(...args));
  }

  override setOnRequestHook(): never {
    throw new Error('Hooks of requests would be skipped on the paths that are served without Express.');
  }

  override setOnResponseHook(): never {
    throw new Error('Hooks of responses would be skipped on the paths that are served without Express.');
  }

  /** @throws Error when Express was given something that would be skipped on the direct paths */
  override listen(...args: [port: string | number, ...rest: unknown[]]): Server {
    this.refuseOverlaps();
    return super.listen(...(args as unknown as Parameters<ExpressAdapter['listen']>));
  }

  private serve(request: Request, response: Response): void {
    const paths = this.directPathsOf(request.path);
    if (paths) void this.answer(paths, request, response);
    else this.app(request, response);
  }

  /** Never rejects. */
  private async answer(
    { begin, check, admit, body, bodyLimits }: DirectPaths,
    request: Request,
    response: Response,
  ): Promise<void> {
    const next = (error?: unknown) => void this.pass(error, request, response, next);
    try {
      request.originalUrl = request.url;
      begin(request, response);
      if (check) await check(request);
      const found = this.routes.find(request.method, request.path);
      if (found) admit?.(request, found);
      const limit = found && bodyLimits?.get(found.name);
      const reading = readBody(request, limit ? { ...body, limit } : body);
      request.body = reading && (await reading);
      request.params = found?.params ?? {};
      await (found?.handler ?? this.notFound)(request, response, next);
    } catch (error) {
      await this.pass(error, request, response, next);
    }
  }

  /** To the exception filters. What none of them can answer ends the connection. */
  private async pass(
    error: unknown,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    try {
      await (error ? this.failed(error, request, response, next) : this.notFound(request, response, next));
    } catch (fault) {
      this.log.error({ message: 'A request could not be answered', error: fault });
      response.destroy();
    }
  }

  private directPathsOf(path: unknown): DirectPaths | undefined {
    if (typeof path !== 'string') return undefined;
    return this.direct.find(
      ({ prefix }) =>
        path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
    );
  }

  /** @returns whether it is a route of the direct paths */
  private routeDirectly(method: HTTPMethod, [path, handler]: [unknown, unknown?]): boolean {
    if (!this.directPathsOf(path)) return false;
    this.routes.add(method, path as string, handler as RouteHandler);
    return true;
  }

  private addElsewhere(add: () => unknown): void {
    const before = layersOf(this.app).length;
    add();
    for (const layer of layersOf(this.app).slice(before)) this.elsewhere.add(layer);
  }

  private refuseOverlaps(): void {
    const faults = this.direct.flatMap(({ prefix }) =>
      layersOf(this.app)
        .filter((layer) => !this.elsewhere.has(layer) && mayRunUnder(layer, prefix))
        .map(({ name, rawPath }) => `${name} on ${String(rawPath)} under ${prefix}`),
    );
    if (faults.length === 0) return;
    throw new Error(
      `Express would never run ${faults.join(', ')}: these paths are served without it. Use a guard, an interceptor ` +
        'or HttpAdapter.useElsewhere.',
    );
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function notInitialised(): never {
  throw new Error('The application is not initialised.');
}
