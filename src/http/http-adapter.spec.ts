import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpCode,
  Ip,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  Param,
  type PipeTransform,
  Post,
  Query,
  Res,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { map } from 'rxjs';
import { HttpAdapter } from './http-adapter.js';

class RefuseBob implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().get('X-Name') !== 'Bob';
  }
}

@Controller('api/things')
class ThingsController {
  @Get(':id')
  find(@Param('id') id: string, @Query() query: unknown, @Ip() ip: string) {
    return { id, query, ip };
  }

  @Post()
  @HttpCode(202)
  @UseGuards(RefuseBob)
  add(@Body() body: unknown, @Res({ passthrough: true }) response: Response) {
    response.set('X-Kind', 'thing');
    return { body };
  }

  @Get('text/of/it')
  text() {
    return 'text';
  }

  @Get('fault/of/it')
  fault() {
    throw new TypeError('broken');
  }
}

@Controller('other')
class OtherController {
  @Get()
  other() {
    return { other: true };
  }
}

@Module({ controllers: [ThingsController, OtherController] })
class ThingsModule {}

type Prepare = (app: NestExpressApplication, adapter: HttpAdapter) => void;

let app: NestExpressApplication | undefined;
afterEach(() => app?.close());

/** An application whose paths under /api go past Express. @returns its address */
async function start(prepare: Prepare = () => {}, module: Type = ThingsModule): Promise<string> {
  const adapter = new HttpAdapter();
  app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: false,
  });
  adapter.serveDirectly({
    prefix: '/api',
    begin: (_request, response) => response.set('X-Begun', 'yes'),
    async check(request) {
      if (request.get('X-Name') === 'Nobody') throw new Error('Who are you?');
    },
    body: { form: 'json', limit: 100 },
  });
  prepare(app, adapter);
  await app.listen(0, '127.0.0.1');
  return (await app.getUrl()).replace('[::1]', '127.0.0.1');
}

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/things`, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'Content-Type': 'application/json', ...headers },
  });

/** Answers every fault by its name. */
@Catch()
class NameFaults implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ fault: error.constructor.name });
  }
}

describe('A path that is served without Express', () => {
  it('gives its handler what decorators ask for', async () => {
    const url = await start();
    const answer = await fetch(`${url}/api/things/a%2Fb?c=1&c=2`);
    expect(await answer.json()).toEqual({ id: 'a/b', query: { c: ['1', '2'] }, ip: '127.0.0.1' });
    expect(answer.headers.get('X-Begun')).toBe('yes');
    const added = await post(url);
    expect([added.status, added.headers.get('X-Kind')]).toEqual([202, 'thing']);
    expect(await added.json()).toEqual({ body: { a: 1 } });
    expect(await (await fetch(`${url}/api/things/text/of/it`)).text()).toBe('text');
    expect(await (await fetch(`${url}/other`)).json()).toEqual({ other: true });
  });

  it('asks the guard of its handler', async () => {
    const url = await start();
    expect((await post(url, { 'X-Name': 'Bob' })).status).toBe(403);
    expect((await post(url, { 'X-Name': 'Ann' })).status).toBe(202);
  });

  it('asks the guards of the application', async () => {
    const url = await start((made) => made.useGlobalGuards({ canActivate: () => false }));
    expect((await fetch(`${url}/api/things/1`)).status).toBe(403);
  });

  it('passes the interceptors of the application', async () => {
    const wrap: NestInterceptor = {
      intercept: (_context: ExecutionContext, next: CallHandler) =>
        next.handle().pipe(map((value: unknown) => ({ wrapped: value }))),
    };
    const url = await start((made) => made.useGlobalInterceptors(wrap));
    expect(await (await post(url)).json()).toEqual({ wrapped: { body: { a: 1 } } });
  });

  it('passes the pipes of the application', async () => {
    const mark: PipeTransform = { transform: (value, { type }) => (type === 'body' ? 'piped' : value) };
    const url = await start((made) => made.useGlobalPipes(mark));
    expect(await (await post(url)).json()).toEqual({ body: 'piped' });
  });

  it.each([
    ['a handler', 'GET', '/api/things/fault/of/it', {}, 'TypeError'],
    ['the check', 'GET', '/api/things/1', { 'X-Name': 'Nobody' }, 'Error'],
    ['nothing that is there', 'GET', '/api/nothing', {}, 'NotFoundException'],
    ['a parameter that cannot be decoded', 'GET', '/api/things/%zz', {}, 'BadRequestException'],
  ])('has its faults answered by the filters: of %s', async (_what, method, path, headers, fault) => {
    const url = await start((made) => made.useGlobalFilters(new NameFaults()));
    const answer = await fetch(`${url}${path}`, { method, headers: headers as Record<string, string> });
    expect([answer.status, await answer.json()]).toEqual([418, { fault }]);
    expect(answer.headers.get('X-Begun')).toBe('yes');
  });

  it('is checked before its body is read', async () => {
    const url = await start((made) => made.useGlobalFilters(new NameFaults()));
    const answer = await post(url, { 'X-Name': 'Nobody', 'Content-Type': 'text/plain' });
    expect(await answer.json()).toEqual({ fault: 'Error' });
  });

  it('ends its connection when no filter can answer', async () => {
    const broken: ExceptionFilter = {
      catch: () => {
        throw new Error('broken as well');
      },
    };
    const url = await start((made) => made.useGlobalFilters(broken));
    await expect(fetch(`${url}/api/things/fault/of/it`)).rejects.toThrow('fetch failed');
    expect((await post(url)).status).toBe(202);
  });
});

const middleware = (_request: Request, _response: Response, next: NextFunction) => next();
const expressOf = (made: NestExpressApplication) => made.getHttpAdapter().getInstance() as Express;

@Module({ controllers: [ThingsController] })
class WithMiddleware {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(middleware).forRoutes(ThingsController);
  }
}
@Module({ controllers: [ThingsController] })
class WithMiddlewareForAll {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(middleware).forRoutes('*path');
  }
}
@Module({ controllers: [ThingsController, OtherController] })
class WithMiddlewareElsewhere {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(middleware).forRoutes(OtherController);
  }
}

describe('Starting', () => {
  it.each<[string, Prepare]>([
    ['a middleware for everything', (made) => made.use(middleware)],
    ['a middleware of the path', (made) => made.use('/api', middleware)],
    ['a middleware below the path', (made) => made.use('/api/things', middleware)],
    ['a middleware of several paths', (made) => made.use(['/other', '/api/things'], middleware)],
    ['a middleware of a pattern', (made) => made.use('/:any/things', middleware)],
    ['a middleware of a regular expression', (made) => made.use(/^\/a/, middleware)],
    ['CORS', (made) => made.enableCors()],
    ['a body parser', (made) => made.useBodyParser('json')],
    ['a route of Express', (made) => expressOf(made).get('/api/more', middleware)],
    ['a route of Express for everything', (made) => expressOf(made).all('/{*path}', middleware)],
  ])('fails for what would be skipped: %s', async (_what, prepare) => {
    await expect(start(prepare)).rejects.toThrow('Express would never run');
  });

  it.each([WithMiddleware, WithMiddlewareForAll])(
    'fails for a middleware of a module that would be skipped: %p',
    async (module) => {
      await expect(start(undefined, module)).rejects.toThrow('Express would never run');
    },
  );

  it('fails for a route that Express would read otherwise, and for hooks', async () => {
    await expect(start((made) => made.getHttpAdapter().get('/api/:a-:b', () => undefined))).rejects.toThrow(
      'cannot be routed',
    );
    await expect(start((_made, adapter) => adapter.setOnRequestHook())).rejects.toThrow('skipped');
    await expect(start((_made, adapter) => adapter.setOnResponseHook())).rejects.toThrow('skipped');
  });

  it('takes middlewares of other paths', async () => {
    const url = await start((made, adapter) => {
      made.use('/other', middleware);
      made.use('/apiary', middleware);
      adapter.useElsewhere(middleware);
      expressOf(made).get('/', middleware);
    }, WithMiddlewareElsewhere);
    expect((await post(url)).status).toBe(202);
  });
});
