import { Post, Query, Req } from '@nestjs/common';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import type { Request } from 'express';
import { MediaService } from '../../messages/media.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { withRawBody } from '../../http/raw-body.js';

class MediaUploadQuery {
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id: string;

  @Matches(/^[^\p{Cc}]{1,255}$/u)
  file_name: string;
}

/** Takes the media of a header as a raw body, and passes them on as they arrive. */
@DashboardController('uploads/media')
@Requires('editor')
export class MediaUploadsController {
  constructor(private readonly media: MediaService) {}

  @Post()
  async upload(
    @CurrentUser() user: SessionUser,
    @Query() { messaging_account_id, file_name: fileName }: MediaUploadQuery,
    @Req() request: Request,
  ) {
    const id = await withRawBody(request, (body) =>
      this.media.upload(user.tenantId, messaging_account_id, { ...body, fileName }),
    );
    return { success: true, data: { id } };
  }
}
