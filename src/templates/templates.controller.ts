import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountsService } from '../accounts/accounts.service.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import type { Caller } from '../accounts/api-keys.service.js';
import { ListTemplatesQuery } from './dto/template-list-item.dto.js';
import { TemplatesService } from './templates.service.js';

@Controller('api/v1/templates')
export class TemplatesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Lists the templates of one messaging account, by name and language. */
  @Get()
  async list(@CurrentCaller() caller: Caller, @Query() query: ListTemplatesQuery, @Res() response: Response) {
    const account = await this.accounts.find(caller.tenantId, query.messaging_account_id);
    const { body, etag } = await this.templates.list(account.businessAccountId, query.status);
    // Express compares If-None-Match with the ETag and answers 304 by itself.
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.type('application/json').send(body);
  }
}
