import { ApiError } from '../../common/errors.js';
import { ProviderError } from '../../provider/provider-error.js';

/** What went wrong while the provider's list of templates was asked for, in words for the page. */
export function listFault(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const words = error.details ? `${error.message}: ${error.details}` : error.message;
  return new ApiError('SERVICE_UNAVAILABLE', `The provider did not give its list. ${words}`, [], 60);
}
