import { ModulesContainer } from '@nestjs/core';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import type { Router } from 'express';
import type { HttpAdapter } from '../../src/http/http-adapter.js';
import type { TestService } from './service.js';

/** A route of the running service. */
export interface Route {
  method: string;
  /** The path with its parameters, such as `/api/v1/messages/:message_log_id`. */
  path: string;
  /** Such as `GET /api/v1/messages/:message_log_id`. */
  name: string;
}

/** A part of a request that a handler takes. */
export interface Taken {
  from: 'body' | 'query' | 'param';
  /** Its DTO class; String for a single parameter. */
  type: Function;
}

/** The routes in the routers of the running service whose paths begin with `start`. */
export function routesOf({ app }: Pick<TestService, 'app'>, start: string): Route[] {
  const adapter = app.getHttpAdapter() as unknown as HttpAdapter;
  const { router } = adapter.getInstance() as { router: Router };
  const ofExpress = router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map((layer) => ({ method: layer.method.toUpperCase(), path: route?.path ?? '' })),
  );
  return [...adapter.routes.all, ...ofExpress]
    .filter(({ path }) => path.startsWith(start))
    .map(({ method, path }) => ({ method, path, name: `${method} ${path}` }));
}

/** The route's path with values for its parameters, which `value` gives by name. */
export function pathOf({ path }: Pick<Route, 'path'>, value: (name: string) => string | number): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => String(value(name)));
}

export const parametersOf = ({ path }: Pick<Route, 'path'>): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);

const SOURCES = new Map<number, Taken['from']>([
  [3, 'body'],
  [4, 'query'],
  [5, 'param'],
]);

/** The parts of requests that the handlers of all routes take, by the names of the routes. */
export const takenBy = (service: Pick<TestService, 'app'>): Map<string, Taken[]> =>
  new Map(
    handlersOf(service).map(({ route, controller, name }) => [route, takenByHandler(controller, name)]),
  );

/** The names of the routes whose handlers have metadata with this key. */
export const markedBy = (service: Pick<TestService, 'app'>, key: string): Set<string> =>
  new Set(
    handlersOf(service)
      .filter(({ controller, name }) => Reflect.getMetadata(key, controller.prototype[name] as object))
      .map(({ route }) => route),
  );

interface Handler {
  /** The name of its route. */
  route: string;
  controller: Function;
  /** The name of the method. */
  name: string;
}

function handlersOf({ app }: Pick<TestService, 'app'>): Handler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Function;
    const root = Reflect.getMetadata(PATH_METADATA, controller) as string;
    return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler = controller.prototype[name] as object;
      const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
      if (name === 'constructor' || path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      return [{ route: `${method} /${root}${path === '/' ? '' : `/${path}`}`, controller, name }];
    });
  });
}

function takenByHandler(controller: Function, name: string): Taken[] {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) as Function[];
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number }
  >;
  return Object.entries(args).flatMap(([key, { index }]) => {
    const from = SOURCES.get(Number(key.split(':', 1)[0]));
    return from ? [{ from, type: types[index] as Function }] : [];
  });
}
