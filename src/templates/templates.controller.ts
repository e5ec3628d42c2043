import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountsService } from '../accounts/accounts.service.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { ApiPublic } from '../common/api-docs.js';
import { ApiListTemplates } from './dto/template-docs.dto.js';
import { ListTemplatesQuery } from './dto/template-list-item.dto.js';
import { TemplatesService } from './templates.service.js';

@ApiPublic('Templates')
@Controller('api/v1/templates')
export class TemplatesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Lists the templates of one messaging account, by name and language. */
  @ApiListTemplates
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListTemplatesQuery,
    @Headers('If-None-Match') known: string | undefined,
    @Res() response: Response,
  ) {
    const account = await this.accounts.find(caller.tenantId, query.messaging_account_id);
    const { body, etag } = await this.templates.list(account.businessAccountId, query.status);
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (isKnown(known, etag)) response.status(304).end();
    else response.type('application/json').send(body);
  }
}

/**
 * Not left to Express, which disregards If-None-Match beside "Cache-Control: no-cache": fetch() adds that to every
 * request with it.
 */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
