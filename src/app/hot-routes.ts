import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiKeyAuthentication } from '../accounts/api-key-authentication.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { answerJson } from '../http/answer.js';
import type { ApiErrorFilter } from '../http/api-error.filter.js';
import { ApiError } from '../common/errors.js';
import { secureData } from '../http/security-headers.js';
import type { RequestValidationPipe } from '../http/validation.pipe.js';
import { SendMessageDto } from '../messages/dto/send-message.dto.js';
import { MessagesController } from '../messages/messages.controller.js';
import { ListTemplatesQuery } from '../templates/dto/template-list-item.dto.js';
import { TemplatesController } from '../templates/templates.controller.js';
import { WebhooksController } from '../webhooks/webhooks.controller.js';

interface HotRoute {
  /** What is out of the ordinary is left to Express. */
  isPlain(request: IncomingMessage): boolean;
  /** Null when it goes without an API key. @throws ApiError */
  authenticate: ((request: IncomingMessage) => Promise<Caller>) | null;
  answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void>;
}

interface Surroundings {
  /** What every answer begins with. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  filter: ApiErrorFilter;
  pipe: RequestValidationPipe;
  /** Bytes of a body at most. */
  limits: { api: number; webhooks: number };
}

/**
 * Takes the three requests that come by the thousand before Express and Nest's router see them, which would cost more
 * than everything else about them (docs/benchmarks.md). Controllers, DTOs and checks are those of the other way, in
 * the same order. Only plain requests are taken; any other goes to Express as it came.
 */
export function serveHotRoutes(app: NestExpressApplication, surroundings: Surroundings): void {
  const { begin, filter } = surroundings;
  const routes = hotRoutes(app, surroundings);
  const server = app.getHttpServer() as Server;
  const [express] = server.listeners('request') as [RequestListener];

  const serve = async (route: HotRoute, request: IncomingMessage, response: ServerResponse) => {
    begin(request, response);
    secureData(response);
    try {
      const caller = await route.authenticate?.(request);
      await route.answer(request, response, caller as Caller);
    } catch (error) {
      filter.answer(error, request, response);
    }
  };

  server.off('request', express).on('request', (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const route = routes.get(`${request.method} ${path}`);
    if (route?.isPlain(request)) void serve(route, request, response);
    else express(request, response);
  });
}

function hotRoutes(
  app: NestExpressApplication,
  { pipe, limits }: Pick<Surroundings, 'pipe' | 'limits'>,
): Map<string, HotRoute> {
  const messages = app.get(MessagesController);
  const templates = app.get(TemplatesController);
  const webhooks = app.get(WebhooksController);
  const keys = app.get(ApiKeyAuthentication);
  const authenticate = (request: IncomingMessage) => keys.recognise(request);
  return new Map<string, HotRoute>([
    [
      'POST /api/v1/messages/send',
      {
        isPlain: (request) => isJson(request) && hasPlainBody(request, limits.api),
        authenticate,
        async answer(request, response, caller) {
          const json = parseJson(await readBody(request));
          const body = (await pipe.transform(json, {
            type: 'body',
            metatype: SendMessageDto,
          })) as SendMessageDto;
          const key = request.headers['idempotency-key'] as string | undefined;
          answerJson(response, 202, await messages.send(caller, body, key, response));
        },
      },
    ],
    [
      'GET /api/v1/templates',
      {
        isPlain: (request) => !hasBody(request),
        authenticate,
        async answer(request, response, caller) {
          const fields = parseQuery((request.url ?? '').replace(/^[^?]*\??/, ''));
          const metadata = { type: 'query', metatype: ListTemplatesQuery } as const;
          const query = (await pipe.transform(fields, metadata)) as ListTemplatesQuery;
          await templates.list(caller, query, request.headers, response);
        },
      },
    ],
    [
      'POST /webhooks/provider',
      {
        isPlain: (request) => hasPlainBody(request, limits.webhooks),
        authenticate: null,
        async answer(request, response) {
          const signature = request.headers['x-hub-signature-256'] as string | undefined;
          answerJson(response, 200, await webhooks.receive(await readBody(request), signature, request));
        },
      },
    ],
  ]);
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json(; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

function hasPlainBody({ headers }: IncomingMessage, limit: number): boolean {
  const length = Number(headers['content-length']);
  return length > 0 && length <= limit && headers['content-encoding'] === undefined;
}

/** @throws ApiError when the connection is lost on the way */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .on('error', () => reject(new ApiError('VALIDATION_FAILED', 'The body was cut off.')));
  });
}

const utf8 = new TextDecoder();

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not JSON.');
  }
}
