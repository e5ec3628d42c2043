import { Get, Query } from '@nestjs/common';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ListAuditLogQuery } from './list-audit-log.dto.js';
import { AuditQueries } from './audit-queries.js';

/** Who did what in the tenant's dashboard. */
@DashboardController('audit-log')
@Requires('owner')
export class AuditLogController {
  constructor(private readonly queries: AuditQueries) {}

  /** Newest first. */
  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser, @Query() query: ListAuditLogQuery) {
    const { user_id: userId, action, limit, cursor } = query;
    const { entries, next } = await this.queries.list(tenantId, { userId, action }, limit, cursor ?? null);
    return { success: true, data: entries, next_cursor: next === null ? null : String(next) };
  }

  /** What the list can be filtered by. */
  @Get('facets')
  async facets(@CurrentUser() { tenantId }: SessionUser) {
    return { success: true, data: await this.queries.facets(tenantId) };
  }
}
