import { Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HeaderSamplesService } from '../../templates/header-samples.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { withRawBody } from '../../http/raw-body.js';
import { HeaderSampleQuery } from './dto/requests.dto.js';

/** Takes the sample of a media header as a raw body, and passes it on as it arrives. */
@DashboardController('uploads/header-sample')
@Requires('editor')
export class HeaderSamplesController {
  constructor(private readonly samples: HeaderSamplesService) {}

  @Post()
  async upload(
    @CurrentUser() user: SessionUser,
    @Query() { file_name: fileName, business_account_id }: HeaderSampleQuery,
    @Req() request: Request,
  ) {
    const handle = await withRawBody(request, (body) =>
      this.samples.upload(user.tenantId, business_account_id, { ...body, fileName }),
    );
    return { success: true, data: { handle } };
  }
}
