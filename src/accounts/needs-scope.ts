import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { API_KEY_SCHEME } from '../openapi/api-docs.js';
import type { Scope } from './domain/scopes.js';

const SCOPE = 'api_key_scope';

/** The scope that a key needs for this operation of the API. Each has one, else the service does not start. */
export const NeedsScope = (scope: Scope) =>
  applyDecorators(SetMetadata(SCOPE, scope), ApiSecurity(API_KEY_SCHEME, [scope]));

/** The scope that {@link NeedsScope} gave a handler. */
export const scopeOf = (handler: object): Scope | undefined =>
  Reflect.getMetadata(SCOPE, handler) as Scope | undefined;
