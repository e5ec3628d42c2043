import { Body, Delete, Get, Param, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { Reads } from '../../database/reads.js';
import { decodeCursor, encodeCursor } from '../../http/cursor.js';
import { foldKeyword } from '../../recipients/domain/opt-out-keywords.js';
import { normalizePhone } from '../../recipients/domain/phone.js';
import { OptOutKeywordsService } from '../../recipients/opt-out-keywords.service.js';
import { OptOutsService } from '../../recipients/opt-outs.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { AtOnce, DashboardController, Requires } from '../dashboard-controller.js';
import { CsvAnswerService } from '../exports/csv-answer.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { OptOutExportService } from './opt-out-export.service.js';
import { ExportOptOutsQuery, KeywordsBody, ListOptOutsQuery, PutOptOutBody } from './opt-outs.dto.js';

/** The recipients who have opted out, and the words by which they do. */
@DashboardController('opt-outs')
export class DashboardOptOutsController {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly keywords: OptOutKeywordsService,
    private readonly exports: OptOutExportService,
    private readonly csv: CsvAnswerService,
    private readonly audit: AuditLogService,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  @Get()
  async list(
    @CurrentUser() { tenantId }: SessionUser,
    @Query() { phone, source, limit, cursor }: ListOptOutsQuery,
  ) {
    const filter = { phone: phone && normalizePhone(phone).digits, source };
    const page = { limit, after: cursor === undefined ? null : decodeCursor(cursor) };
    const { rows, next } = await this.optOuts.page(tenantId, filter, page, this.reads.of(tenantId));
    return { success: true, data: rows, next_cursor: next && encodeCursor(next) };
  }

  @AtOnce('exports')
  @Get('export')
  async export(
    @CurrentUser() { tenantId }: SessionUser,
    @Query() filter: ExportOptOutsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const day = this.clock.now().toISOString().slice(0, 10);
    await this.csv.send(response, `opt-outs-${day}.csv`, await this.exports.open(tenantId, filter));
  }

  @Get('keywords')
  async findKeywords(@CurrentUser() { tenantId }: SessionUser) {
    return { success: true, data: await this.keywords.find(tenantId) };
  }

  @Requires('owner')
  @Put('keywords')
  async changeKeywords(@CurrentUser() user: SessionUser, @Body() { keywords: given = null }: KeywordsBody) {
    const keywords = given && distinct(given.map((word) => word.trim()));
    const data = await this.keywords.change(user.tenantId, keywords);
    await this.audit.record(user, 'opt_out_keywords.changed', { keywords });
    return { success: true, data };
  }

  @Requires('editor')
  @Put(':phone')
  async put(
    @CurrentUser() user: SessionUser,
    @Param('phone') phone: string,
    @Body() { scope, reason }: PutOptOutBody,
  ) {
    const { digits } = normalizePhone(phone);
    const wish = { phone: digits, scope, source: 'dashboard', reason: reason ?? null } as const;
    const data = await this.optOuts.set(user.tenantId, wish);
    await this.audit.record(user, 'opt_out.set', { phone: data.phone, scope });
    return { success: true, data };
  }

  @Requires('editor')
  @Delete(':phone')
  async lift(@CurrentUser() user: SessionUser, @Param('phone') phone: string) {
    const data = await this.optOuts.lift(user.tenantId, normalizePhone(phone).digits, 'dashboard');
    await this.audit.record(user, 'opt_out.lifted', { phone: data.phone, scope: data.scope });
    return { success: true, data };
  }
}

/** Each word once, however it is written. @throws ApiError VALIDATION_FAILED for one that no text could be */
function distinct(words: string[]): string[] {
  const empty = words.find((word) => foldKeyword(word) === '');
  if (empty === undefined) return [...new Map(words.map((word) => [foldKeyword(word), word])).values()];
  const message = `“${empty}” has no letter or digit.`;
  throw new ApiError('VALIDATION_FAILED', message, [{ field: 'keywords', message }]);
}
