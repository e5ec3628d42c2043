import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { ApiError } from '../../common/errors.js';
import { Reads } from '../../database/reads.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Live, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';

const ID_SHAPE = /^\d{1,9}$/;

/** Alerts about the tenant's accounts. Operators also see those about the service as a whole. */
@DashboardController('alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly reads: Reads,
    private readonly audit: AuditLogService,
  ) {}

  @Live()
  @Get()
  async list(@CurrentUser() { tenantId, operator }: SessionUser) {
    return { success: true, data: await this.alerts.open(tenantId, operator, this.reads.of(tenantId)) };
  }

  /** The open alerts that the user has not read. The page asks by itself, which is no use of the session. */
  @Get('unread')
  async unread(@CurrentUser() user: SessionUser) {
    return {
      success: true,
      data: { alert_ids: await this.alerts.unread(user, this.reads.of(user.tenantId)) },
    };
  }

  @Post('read')
  @HttpCode(200)
  async readAll(@CurrentUser() user: SessionUser) {
    await this.alerts.read(user, null);
    return { success: true, data: { alert_ids: [] } };
  }

  @Post(':alert_id/read')
  @HttpCode(200)
  async read(@CurrentUser() user: SessionUser, @Param('alert_id') id: string) {
    const isKnown = ID_SHAPE.test(id) && (await this.alerts.read(user, Number(id)));
    if (!isKnown) throw new ApiError('NOT_FOUND', 'This alert has ended already.');
    return { success: true, data: { alert_id: Number(id) } };
  }

  /** Dismisses an alert that somebody has seen. Its cause stays: a hold, for example, has to be lifted separately. */
  @Requires('editor')
  @Post(':alert_id/dismiss')
  @HttpCode(200)
  async dismiss(@CurrentUser() user: SessionUser, @Param('alert_id') id: string) {
    const known = ID_SHAPE.test(id)
      ? await this.alerts.dismiss(Number(id), user.tenantId, user.operator)
      : null;
    if (!known) throw new ApiError('NOT_FOUND', 'This alert has ended already.');
    await this.audit.record(user, 'alert.dismissed', { alert_id: Number(id), ...known });
    return { success: true, data: { alert_id: Number(id) } };
  }
}
