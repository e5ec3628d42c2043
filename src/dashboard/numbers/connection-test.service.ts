import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { ProviderClient } from '../../provider/provider.client.js';
import { ProviderError } from '../../provider/provider-error.js';
import type { WirePhoneNumber } from '../../provider/wire.js';

/** Seconds after which a test may be made again. */
const RETRY_AFTER = 10;

/** The provider's codes when the token itself is at fault, rather than its permissions. */
const TOKEN_CODES = new Set([0, 190]);

/** The provider's code for an object that does not exist or that the token may not see. */
const UNKNOWN_OBJECT = 100;

/** Tests at the provider what people enter for a business account or number, before it is stored. */
@Injectable()
export class ConnectionTestService {
  constructor(private readonly provider: ProviderClient) {}

  /** @throws ApiError in plain words, at the field that is at fault */
  async businessAccount(accessToken: string, wabaId: string): Promise<void> {
    try {
      await this.provider.checkAccess({ accessToken }, wabaId);
    } catch (error) {
      throw toFault(error, 'waba_id', 'business account');
    }
  }

  /**
   * What the provider knows of the number.
   * @throws ApiError in plain words, at the field that is at fault
   */
  async number(accessToken: string, phoneNumberId: string): Promise<WirePhoneNumber> {
    try {
      return await this.provider.getPhoneNumber({ accessToken }, phoneNumberId);
    } catch (error) {
      throw toFault(error, 'phone_number_id', 'number');
    }
  }
}

/** @param what the kind of object whose id is in the field `idField` */
function toFault(error: unknown, idField: string, what: string): unknown {
  if (!(error instanceof ProviderError)) return error;
  const said = [error.title, error.details].filter(Boolean).join(': ').replace(/\.$/, '');
  const at = (field: string, message: string) =>
    new ApiError('VALIDATION_FAILED', message, [{ field, message, provider_code: error.code }]);
  switch (error.errorClass) {
    case 'auth':
      return TOKEN_CODES.has(error.code ?? NaN)
        ? at(
            'access_token',
            'The provider does not accept this access token: it is mistyped, expired or revoked.',
          )
        : at('access_token', `The access token is genuine but lacks a permission for this ${what}: ${said}.`);
    case 'account':
    case 'spam':
      return at(idField, `The provider has restricted this ${what}: ${said}.`);
    case 'account_rate':
    case 'number_rate':
      return new ApiError(
        'RATE_LIMITED',
        'The provider takes no more calls of this app for now. Nothing was saved; try again in some minutes.',
        [],
        Math.ceil((error.retryAfter ?? 60_000) / 1000),
      );
    case 'misrouted':
    case 'transient':
    case 'unknown':
      return new ApiError(
        'SERVICE_UNAVAILABLE',
        'The provider did not answer, so that nothing could be tested. Nothing was saved; try again.',
        [],
        RETRY_AFTER,
      );
    default:
      return error.code === UNKNOWN_OBJECT
        ? at(idField, `The provider knows no ${what} with this id, or the access token may not see it.`)
        : at(idField, `The provider refuses: ${said}.`);
  }
}
