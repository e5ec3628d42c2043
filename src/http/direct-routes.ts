import type { NextFunction, Request, Response } from 'express';
import createRouter, { type Handler, type HTTPMethod } from 'find-my-way';

export type RouteHandler = (request: Request, response: Response, next: NextFunction) => unknown;

export interface FoundRoute {
  /** Such as `GET /api/v1/messages/:message_log_id`; of a HEAD that is answered as GET, that of the GET. */
  name: string;
  handler: RouteHandler;
  params: Record<string, string>;
}

/** Segments that are text or one parameter: what means the same to Express and to find-my-way. */
const PLAIN_PATH = /^(\/(:\w+|[\w-]+))+\/?$/;

/** Longer than any path that Node reads: the default of find-my-way would make long ids unknown paths. */
const MAX_PARAMETER = 64 * 1024;

/** Routes that are found without Express, by its rules: a slash may stand at the end, HEAD is answered as GET. */
export class DirectRoutes {
  private readonly router = createRouter({ ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER });
  /** All there are, in the order of their registration. */
  readonly all: { method: HTTPMethod; path: string }[] = [];

  /** @throws Error for a path that Express might read otherwise, and for one that is there already */
  add(method: HTTPMethod, path: string, handler: RouteHandler): void {
    if (!PLAIN_PATH.test(path))
      throw new Error(
        `${method} ${path} cannot be routed without Express: it knows text and :parameters only.`,
      );
    this.all.push({ method, path });
    this.router.on(method, path, handler as unknown as Handler<never>, `${method} ${path}`);
  }

  /** @throws URIError with status 400 when a parameter cannot be decoded */
  find(method: string, path: string): FoundRoute | null {
    const found = this.look(method, path) ?? (method === 'HEAD' ? this.look('GET', path) : null);
    // Of a path that cannot be decoded, no method has a route.
    if (!found && path.includes('%')) this.methodsOf(path);
    return found;
  }

  /** The methods that the path has routes for. */
  methodsOf(path: string): string[] {
    const methods = [...new Set(this.all.map(({ method }) => method))];
    return methods.filter((method) => this.look(method, path) !== null).toSorted();
  }

  private look(method: string, path: string): FoundRoute | null {
    const isEscaped = path.includes('%');
    // The router would decode before it compares: of a path there is one spelling only, and parameters are decoded once.
    const spelled = isEscaped ? path.replaceAll('%', '%25') : path;
    const found = this.router.find(method as HTTPMethod, spelled);
    if (!found) return null;
    const { params, store: name } = found as { params: Record<string, string>; store: string };
    for (const parameter in params) {
      if (params[parameter] === '') return null; // an empty segment is no parameter
      if (isEscaped) params[parameter] = decode(params[parameter] as string);
    }
    return { name, handler: found.handler as unknown as RouteHandler, params };
  }
}

function decode(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch (error) {
    throw Object.assign(error as URIError, { status: 400 });
  }
}
