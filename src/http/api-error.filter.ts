import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { answerJson } from './answer.js';
import { ApiError } from '../common/errors.js';
import { requestIdOf } from './request-id.js';

/**
 * Tells a fault from outside (database out), or of what the caller sent, from one of the code; handed in by the
 * layer that knows.
 */
export type TranslateError = (error: unknown) => ApiError | null;

/** The methods that a path has routes for; handed in by whoever has the routes. */
export type MethodsOf = (path: string) => string[];

/** Of Express, or as Node gives it. */
type AnyRequest = IncomingMessage & Partial<Pick<Request, 'originalUrl'>>;

/** Turns everything that is thrown into the documented error envelope. A fault of ours reveals the request id only. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  constructor(
    private readonly translate: TranslateError,
    private readonly methodsOf: MethodsOf,
    /** Told the code of each answer. */
    private readonly count: (code: ApiError['code']) => void,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<AnyRequest>(), http.getResponse<ServerResponse>());
  }

  /** Also used for what fails before a route is reached. */
  answer(error: unknown, request: AnyRequest, response: ServerResponse): void {
    const translated = error instanceof ApiError ? null : this.translate(error);
    const fault = translated ?? this.toApiError(error, request);
    const requestId = requestIdOf(response);
    this.count(fault.code);
    // What is answered on purpose, such as that the process is not ready, is no fault.
    if (!(error instanceof ApiError)) {
      const line = {
        message: fault.message,
        request_id: requestId,
        method: request.method,
        path: pathOf(request),
      };
      if (fault.status >= 500) this.logger.error({ ...line, error });
      // The database has refused what a check of ours should have: the check is missing.
      else if (translated) this.logger.warn({ ...line, error });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The page's own API knows sessions only.
    if (fault.code === 'UNAUTHORIZED' && !pathOf(request).startsWith('/dashboard/'))
      response.setHeader('WWW-Authenticate', 'Bearer');
    if (fault.code === 'METHOD_NOT_ALLOWED')
      response.setHeader('Allow', this.methodsOf(pathOf(request)).join(', '));
    if (fault.retryAfter !== undefined) response.setHeader('Retry-After', String(fault.retryAfter));
    answerJson(response, fault.status, {
      success: false,
      error: { code: fault.code, message: fault.message, details: fault.details },
      request_id: requestId,
    });
  }

  private toApiError(error: unknown, request: AnyRequest): ApiError {
    return error instanceof ApiError ? error : (this.fromHttp(error, request) ?? internalError());
  }

  /** Faults of Nest's router and of the body parsers, which carry an HTTP status. */
  private fromHttp(error: unknown, request: AnyRequest): ApiError | null {
    const status =
      error instanceof HttpException ? error.getStatus() : (error as { status?: unknown } | null)?.status;
    switch (status) {
      case 403: // a guard of Nest's kind, which says no more
        return new ApiError('FORBIDDEN', 'This is not allowed.');
      case 404:
        return this.methodsOf(pathOf(request)).length > 0
          ? new ApiError(
              'METHOD_NOT_ALLOWED',
              `${request.method} is not possible here; see the Allow header.`,
            )
          : new ApiError('NOT_FOUND', `There is nothing at ${pathOf(request)}; see /docs for what there is.`);
      case 413:
        return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than the service takes.');
      case 415:
        return new ApiError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the body in UTF-8 without an unusual Content-Encoding.',
        );
      case 400:
        return (error as { type?: string }).type === 'entity.parse.failed'
          ? new ApiError('INVALID_JSON', 'The body is not JSON.')
          : new ApiError('VALIDATION_FAILED', 'The request is malformed.');
      default:
        return null;
    }
  }
}

function pathOf({ originalUrl, url = '/' }: AnyRequest): string {
  return (originalUrl ?? url).replace(/\?.*/s, '');
}

function internalError(): ApiError {
  return new ApiError('INTERNAL_ERROR', 'The service failed. Report the request id if it happens again.');
}
