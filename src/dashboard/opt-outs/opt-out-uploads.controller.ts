import { HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { withRawBody } from '../../http/raw-body.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { OptOutImportService } from './opt-out-import.service.js';

/** Takes a file of opt-outs as a raw body, and keeps them as it arrives. */
@DashboardController('uploads/opt-outs')
@Requires('editor')
export class OptOutUploadsController {
  constructor(
    private readonly imports: OptOutImportService,
    private readonly audit: AuditLogService,
  ) {}

  @Post()
  @HttpCode(200)
  async upload(@CurrentUser() user: SessionUser, @Req() request: Request) {
    const data = await withRawBody(request, ({ stream }) => this.imports.import(user.tenantId, stream));
    const { kept, rows, faulty } = data;
    await this.audit.record(user, 'opt_out.imported', { kept, rows, faulty });
    return { success: true, data };
  }
}
