import type { Express } from 'express';

/** Of what Express keeps of a middleware or a route: not of its public types. */
export interface ExpressLayer {
  name: string;
  /** As it was registered; a route's or a middleware's. */
  rawPath: unknown;
  route?: { methods: Record<string, boolean> };
  match(path: string): unknown;
}

/** The middlewares and routes of the application, in their order. */
export function layersOf(app: Express): ExpressLayer[] {
  return app.router.stack as unknown as ExpressLayer[];
}

/** The methods that the path has routes for. */
export function methodsInExpress(app: Express, path: string): string[] {
  const methods = layersOf(app)
    .filter((layer) => layer.route && !layer.route.methods['_all'] && layer.match(path))
    .flatMap((layer) => Object.keys(layer.route?.methods ?? {}));
  return [...new Set(methods.map((method) => method.toUpperCase()))].toSorted();
}

/**
 * Whether the layer might run for a path that begins with the prefix, which is one segment, as in `/api`. A path whose
 * first segment is not plain text might be any.
 */
export function mayRunUnder(
  { rawPath, route }: Pick<ExpressLayer, 'rawPath' | 'route'>,
  prefix: string,
): boolean {
  if (Array.isArray(rawPath)) return rawPath.some((path) => mayRunUnder({ rawPath: path, route }, prefix));
  if (rawPath === '/' && route) return false; // of this path alone
  const first = typeof rawPath === 'string' ? /^\/([\w.-]+)(?=\/|$)/.exec(rawPath)?.[1] : undefined;
  return first === undefined || `/${first}` === prefix;
}
