import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import type { Scope } from '../accounts/domain/scopes.js';
import { bodyLimitOf } from '../http/body-limit.js';
import { scopeOf } from '../accounts/needs-scope.js';

/**
 * The scope that each operation of the public API needs, by its name, such as `GET /api/v1/templates`.
 * @throws Error for an operation without a scope, so that the service does not start with a door that nobody looks after
 */
export function operationScopes(modules: ModulesContainer): Map<string, Scope> {
  return new Map(
    operationsIn(modules).map(({ name, handler }) => {
      const scope = scopeOf(handler);
      if (!scope) throw new Error(`${name} needs a scope: mark its handler with @NeedsScope.`);
      return [name, scope];
    }),
  );
}

/** The bytes that the bodies of some operations may have, by their names. */
export function operationBodyLimits(modules: ModulesContainer): Map<string, number> {
  return new Map(
    operationsIn(modules).flatMap(({ name, handler }) => {
      const limit = bodyLimitOf(handler);
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
}

function operationsIn(modules: ModulesContainer): { name: string; handler: object }[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers
    .map(({ metatype }) => metatype as Type)
    .filter((controller) => rootOf(controller).startsWith('api/'))
    .flatMap(operationsOf);
}

const rootOf = (controller: Type) => String(Reflect.getMetadata(PATH_METADATA, controller) ?? '');

function operationsOf(controller: Type): { name: string; handler: object }[] {
  const methods = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(methods).flatMap((property) => {
    const handler = methods[property] as object;
    const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
    if (property === 'constructor' || path === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
    const name = `${method} /${rootOf(controller)}${path === '/' ? '' : `/${path}`}`;
    return [{ name, handler }];
  });
}
