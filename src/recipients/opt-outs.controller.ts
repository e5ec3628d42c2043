import { Body, Controller, Delete, Get, Param, Put, Query, UseGuards } from '@nestjs/common';
import type { Caller } from '../accounts/api-keys.service.js';
import { CallerGuard } from '../accounts/caller.guard.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import { NeedsScope } from '../accounts/needs-scope.js';
import { Reads } from '../database/reads.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { ApiPublic } from '../openapi/api-docs.js';
import { normalizePhone } from './domain/phone.js';
import { ApiDeleteOptOut, ApiListOptOuts, ApiPutOptOut } from './dto/opt-out-docs.dto.js';
import { ListOptOutsQuery, OptOutDto, PutOptOutBody } from './dto/opt-out.dto.js';
import { type OptOutRow, OptOutsService } from './opt-outs.service.js';

@ApiPublic('Opt-outs')
@UseGuards(CallerGuard)
@Controller('api/v1/opt-outs')
export class OptOutsController {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly reads: Reads,
  ) {}

  /** Lists opt-outs, newest first. */
  @ApiListOptOuts
  @NeedsScope('messages:read')
  @Get()
  async list(
    @CurrentCaller() { tenantId }: Caller,
    @Query() { phone, source, limit, cursor }: ListOptOutsQuery,
  ) {
    const filter = { phone: phone && normalizePhone(phone).digits, source };
    const page = { limit, after: cursor === undefined ? null : decodeCursor(cursor) };
    const { rows, next } = await this.optOuts.page(tenantId, filter, page, this.reads.of(tenantId));
    return { success: true, data: rows.map(viewOf), next_cursor: next && encodeCursor(next) };
  }

  /** Keeps messages from a recipient. */
  @ApiPutOptOut
  @NeedsScope('settings:write')
  @Put(':phone')
  async put(
    @CurrentCaller() { tenantId }: Caller,
    @Param('phone') phone: string,
    @Body() { scope, reason }: PutOptOutBody,
  ) {
    const { digits } = normalizePhone(phone);
    const row = await this.optOuts.set(tenantId, {
      phone: digits,
      scope,
      source: 'api',
      reason: reason ?? null,
    });
    return { success: true, data: viewOf(row) };
  }

  /** Lets a recipient get messages again. */
  @ApiDeleteOptOut
  @NeedsScope('settings:write')
  @Delete(':phone')
  async delete(@CurrentCaller() { tenantId }: Caller, @Param('phone') phone: string) {
    const { digits } = normalizePhone(phone);
    return { success: true, data: viewOf(await this.optOuts.lift(tenantId, digits, 'api')) };
  }
}

const viewOf = ({ created_at, ...row }: OptOutRow): OptOutDto => ({
  ...row,
  created_at: created_at.toISOString(),
});
