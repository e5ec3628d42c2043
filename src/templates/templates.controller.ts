import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Controller, Get, Headers, Query, Res, UseGuards } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { CallerGuard } from '../accounts/caller.guard.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import { NeedsScope } from '../accounts/needs-scope.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { answer } from '../http/answer.js';
import { ApiPublic } from '../openapi/api-docs.js';
import { ApiListTemplates } from './dto/template-docs.dto.js';
import { ListTemplatesQuery } from './dto/template-list-item.dto.js';
import { TemplatesService } from './templates.service.js';

@ApiPublic('Templates')
@UseGuards(CallerGuard)
@Controller('api/v1/templates')
export class TemplatesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Lists the templates of one messaging account, by name and language. */
  @ApiListTemplates
  @NeedsScope('templates:read')
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListTemplatesQuery,
    @Headers() headers: IncomingHttpHeaders,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const account = await this.accounts.find(caller.tenantId, query.messaging_account_id);
    const list = await this.templates.list(account.businessAccountId, query.status);
    response.setHeader('ETag', list.etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Vary', 'Accept-Encoding');
    if (isKnown(headers['if-none-match'], list.etag)) {
      response.writeHead(304).end();
    } else if (takesGzip(headers['accept-encoding'])) {
      response.setHeader('Content-Encoding', 'gzip');
      answer(response, 200, list.gzip);
    } else {
      answer(response, 200, list.json);
    }
  }
}

/**
 * Not left to Express, which ignores If-None-Match when "Cache-Control: no-cache" is there: fetch() adds that header to
 * every request with If-None-Match.
 */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

/** Whether to send the list compressed. It is compressed once for all; Express would do so for each request. */
function takesGzip(acceptEncoding = ''): boolean {
  const codings = acceptEncoding.toLowerCase().split(',');
  return codings.some((coding) => /^\s*gzip\s*(;\s*q\s*=\s*(?!0(\.0*)?\s*$).*)?$/.test(coding));
}
