import { ApiError, type ErrorDetail } from '../common/errors.js';
import { ProviderError } from '../provider/provider-error.js';
import { refusedField } from './domain/refused-field.js';
import type { TemplateDraft } from './domain/template-draft.js';

/** Seconds after which a call that the provider did not answer may be made again. */
const RETRY_AFTER = 5;

/**
 * The provider's refusal of a template, for the person who wrote it: in the provider's words, at the field concerned.
 * @returns an ApiError for a ProviderError, anything else as it is
 */
export function toRefusal(error: unknown, draft?: TemplateDraft): unknown {
  if (!(error instanceof ProviderError)) return error;
  const words = wordsOf(error);
  switch (error.errorClass) {
    case 'auth':
    case 'account':
      return new ApiError(
        'VALIDATION_FAILED',
        `The provider refuses this business account: ${words} Check its access token and its state at the provider.`,
        [{ ...facts(error), field: 'business_account_id', message: words }],
      );
    case 'account_rate':
    case 'number_rate':
      return new ApiError(
        'RATE_LIMITED',
        `The provider takes no more changes for now: ${words}`,
        [facts(error)],
        Math.ceil((error.retryAfter ?? 60_000) / 1000),
      );
    case 'misrouted':
    case 'transient':
    case 'unknown':
      return new ApiError(
        'SERVICE_UNAVAILABLE',
        'The provider did not answer. Try again: what it has taken already is not made twice.',
        [facts(error)],
        RETRY_AFTER,
      );
    default:
      return refused(error, words, draft);
  }
}

function refused(error: ProviderError, words: string, draft?: TemplateDraft): ApiError {
  const { subcode, code, userTitle: title, userMessage: message } = error;
  const field =
    draft && refusedField({ subcode: subcode ?? code ?? undefined, title, message: message ?? words }, draft);
  return new ApiError('VALIDATION_FAILED', words, [
    { ...facts(error), ...(field && { field }), message: words },
  ]);
}

/** The provider's words, as a sentence. */
function wordsOf({ userTitle, userMessage, details, title }: ProviderError): string {
  const words = userMessage ?? details ?? title;
  const whole = userTitle && !words.startsWith(userTitle) ? `${userTitle}: ${words}` : words;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function facts({ code, subcode, userTitle }: ProviderError): ErrorDetail {
  return {
    ...(userTitle !== undefined && { title: userTitle }),
    ...(code !== null && { provider_code: code }),
    ...(subcode !== undefined && { provider_subcode: subcode }),
  };
}
