import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';
import { ProviderClient, type ProviderFileStream } from '../provider/provider.client.js';
import { toRefusal } from '../templates/provider-refusal.js';
import { accountOf } from '../templates/template-account.js';
import { MEDIA_LIMITS, mediaKind } from './domain/media-limits.js';

/** Passes files that are to be sent on to the provider. */
@Injectable()
export class MediaService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
  ) {}

  /**
   * @param apiId the number that will send it: the provider keeps files by number, for 30 days
   * @returns the provider's media id, for the `id` of a header
   * @throws ApiError ACCOUNT_NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or what the provider says of it
   */
  async upload(tenantId: string, apiId: string, file: ProviderFileStream): Promise<string> {
    const number = await this.accounts.find(tenantId, apiId);
    checkFile(file);
    const account = await accountOf(this.accounts, tenantId, number.businessAccountId);
    try {
      return await this.provider.uploadMedia(account, number.phoneNumberId, file);
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

function checkFile({ fileType, length }: ProviderFileStream): void {
  const kind = mediaKind(fileType);
  if (kind === null) {
    const endings = Object.values(MEDIA_LIMITS).flatMap(({ types }) => Object.values(types).flat());
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The provider takes files with ${endings.join(', ')}.`);
  }
  if (length === 0) throw new ApiError('VALIDATION_FAILED', 'The file is empty.');
  const { maxBytes } = MEDIA_LIMITS[kind];
  if (length > maxBytes) {
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      `The provider takes at most ${maxBytes / 1024 / 1024} MiB for a file of kind ${kind}.`,
    );
  }
}
