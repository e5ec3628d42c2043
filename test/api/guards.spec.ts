import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
} from '@nestjs/common/constants.js';
import type { Request, Response } from 'express';
import { map } from 'rxjs';
import { DEMO } from '../../src/embedded/demo.js';
import { MessagesController } from '../../src/messages/messages.controller.js';
import { TemplatesController } from '../../src/templates/templates.controller.js';
import { WebhooksController } from '../../src/webhooks/webhooks.controller.js';
import '../support/matchers.js';
import { Api } from '../support/api.js';
import { SECRETS, startTestService, type TestService } from '../support/service.js';
import { sign } from '../support/webhooks.js';

/** The handlers that are asked by the thousand pass all that Nest has for handlers. */
const CONTROLLERS = [MessagesController, TemplatesController, WebhooksController];
const METADATA = [GUARDS_METADATA, INTERCEPTORS_METADATA, EXCEPTION_FILTERS_METADATA];
const own = CONTROLLERS.map((type) => METADATA.map((key) => Reflect.getMetadata(key, type) as unknown));

let service: TestService;
afterEach(async () => {
  for (const [i, type] of CONTROLLERS.entries())
    for (const [j, key] of METADATA.entries()) Reflect.defineMetadata(key, own[i]?.[j] ?? [], type);
  await service.stop();
});

/** A service whose controllers are marked so. */
async function startWith(...decorators: ClassDecorator[]): Promise<void> {
  for (const type of CONTROLLERS) for (const decorate of decorators) decorate(type);
  service = await startTestService({ ROLE: 'api' });
}

const TEMPLATES = `/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`;
const delivery = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: DEMO.wabaId, changes: [] }],
});
const deliver = (api: Api) =>
  api.request('POST', '/webhooks/provider', delivery, {
    'X-Hub-Signature-256': sign(delivery, SECRETS.sandboxAppSecret),
  });

/** Asks for one of each kind. */
const askAll = async (api = service.api) => [
  await api.send('+12025550100'),
  await api.get(TEMPLATES),
  await deliver(api),
];

class RefuseAll implements CanActivate {
  canActivate = () => false;
}

class RefuseUnknown implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { caller, originalUrl } = context
      .switchToHttp()
      .getRequest<Request & { caller?: { tenantId: string } }>();
    return originalUrl.startsWith('/webhooks/') || caller?.tenantId === service.tenantId;
  }
}

class Count implements NestInterceptor {
  static passed: string[] = [];

  intercept(context: ExecutionContext, next: CallHandler) {
    const name = `${context.getClass().name}.${context.getHandler().name}`;
    return next.handle().pipe(
      map((value: unknown) => {
        Count.passed.push(name);
        return value;
      }),
    );
  }
}

@Catch()
class AnswerTeapot implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ success: false });
  }
}

describe('On the controllers of sends, lists and webhooks', () => {
  it('a guard refuses', async () => {
    await startWith(UseGuards(RefuseAll));
    for (const answer of await askAll()) expect(answer).toBeError(403, 'FORBIDDEN');
  });

  it('a guard sees who asks', async () => {
    await startWith(UseGuards(RefuseUnknown));
    expect((await askAll()).map(({ status }) => status)).toEqual([202, 200, 200]);
  });

  it('an interceptor is passed', async () => {
    Count.passed = [];
    await startWith(UseInterceptors(Count));
    await askAll();
    expect(Count.passed).toEqual([
      'MessagesController.send',
      'TemplatesController.list',
      'WebhooksController.receive',
    ]);
  });

  it('a filter answers what handlers throw', async () => {
    await startWith(UseFilters(AnswerTeapot), UseGuards(RefuseAll));
    expect((await askAll()).map(({ status }) => status)).toEqual([418, 418, 418]);
  });

  it('a guard comes behind the key', async () => {
    await startWith(UseGuards(RefuseAll));
    const [send, list] = await askAll(new Api(service.url, null));
    expect(send).toBeError(401, 'UNAUTHORIZED');
    expect(list).toBeError(401, 'UNAUTHORIZED');
  });
});
