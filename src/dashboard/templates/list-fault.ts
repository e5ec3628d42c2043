import { ApiError } from '../../common/errors.js';
import { ProviderError } from '../../provider/provider-error.js';

/** An error in plain words for the page, when the provider's list of templates could not be read. */
export function listFault(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const words = error.details ? `${error.message}: ${error.details}` : error.message;
  return new ApiError('SERVICE_UNAVAILABLE', `The provider did not give its list. ${words}`, [], 60);
}
