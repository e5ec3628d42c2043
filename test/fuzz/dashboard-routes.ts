import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Router } from 'express';
import type { TestService } from '../support/service.js';
import { ClassSchemas } from './dto-schema.js';
import type { Schema } from './schema-arbitrary.js';

/** A route of the dashboard's API, with the parameters, query and body that its controller declares. */
export interface DashboardRoute {
  method: string;
  /** The path with its parameters, such as `/dashboard/api/campaigns/:campaign_id`. */
  path: string;
  body: Schema | null;
  query: Schema | null;
}

const PREFIX = 'dashboard/api';

/** Nest's numbers for the kinds of a handler's parameters: its `RouteParamtypes`, which it does not export. */
const BODY = 3;
const QUERY = 4;

/** The schemas of all bodies and queries. */
export const CLASS_SCHEMAS = new ClassSchemas();

/** All routes of the running service, from the decorators of its controllers, so that none can be forgotten. */
export function dashboardRoutes({ app }: TestService): DashboardRoute[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  const classes = new Set(
    controllers.flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype] : [])),
  );
  return [...classes].flatMap((type) => routesOf(type));
}

function routesOf(type: Function): DashboardRoute[] {
  const base = String(Reflect.getMetadata(PATH_METADATA, type) ?? '');
  if (!base.startsWith(PREFIX)) return [];
  const names = Object.getOwnPropertyNames(type.prototype).filter((name) => name !== 'constructor');
  return names.flatMap((name) => {
    const handler = type.prototype[name] as Function;
    const path: unknown = Reflect.getMetadata(PATH_METADATA, handler);
    if (typeof path !== 'string') return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as string;
    const taken = (kind: number) => schemaTaken(type, name, kind);
    const whole = `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/\/$/, '');
    return [{ method, path: whole, body: taken(BODY), query: taken(QUERY) }];
  });
}

/** The schema of the class of a handler's `@Body()` or `@Query()`. */
function schemaTaken(type: Function, handler: string, kind: number): Schema | null {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler) ?? {}) as Record<
    string,
    { index: number }
  >;
  const found = Object.entries(args).find(([key]) => key.startsWith(`${kind}:`));
  const types = Reflect.getMetadata('design:paramtypes', type.prototype, handler) as Function[];
  const taken = found && types[found[1].index];
  return taken && taken !== Object ? CLASS_SCHEMAS.of(taken) : null;
}

/** The same routes by Express' router, such as `GET /dashboard/api/messages`. */
export function servedRoutes({ app }: TestService): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: Router };
  return router.stack.flatMap(({ route }) =>
    route?.path.startsWith(`/${PREFIX}/`)
      ? route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`)
      : [],
  );
}
