import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';
import { ProviderClient } from '../provider/provider.client.js';
import { SAMPLE_LIMITS, sampleKind } from './domain/header-samples.js';
import { toRefusal } from './provider-refusal.js';
import { accountOf } from './template-account.js';

/** A file as it arrives. */
export interface SampleFile {
  fileName: string;
  /** Its MIME type. */
  fileType: string;
  /** Bytes. */
  length: number;
  stream: Readable;
}

/** Passes the samples of media headers on to the provider. */
@Injectable()
export class HeaderSamplesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
  ) {}

  /**
   * @returns the provider's handle, which stands for the file in a template
   * @throws ApiError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or the provider's refusal
   */
  async upload(tenantId: string, businessAccountId: string, file: SampleFile): Promise<string> {
    checkFile(file);
    const account = await accountOf(this.accounts, tenantId, businessAccountId);
    if (account.appId === null) {
      throw new ApiError(
        'VALIDATION_FAILED',
        'Samples are uploaded to the app of the business account: add its app id first.',
        [{ field: 'business_account_id', message: 'This business account has no app id.' }],
      );
    }
    try {
      return await this.provider.uploadHeaderSample(account, account.appId, file);
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

function checkFile({ fileType, length }: SampleFile): void {
  const kind = sampleKind(fileType);
  if (kind === null) {
    const types = Object.values(SAMPLE_LIMITS).flatMap((limits) => Object.keys(limits.types));
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The provider takes samples of the types ${types.join(', ')}.`,
    );
  }
  if (length === 0) throw new ApiError('VALIDATION_FAILED', 'The file is empty.');
  const { maxBytes } = SAMPLE_LIMITS[kind];
  if (length > maxBytes) {
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      `The provider takes at most ${maxBytes / 1024 / 1024} MiB for a sample of kind ${kind}.`,
    );
  }
}
