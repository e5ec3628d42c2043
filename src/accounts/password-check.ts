import { ApiError } from '../common/errors.js';
import { passwordFault } from './domain/password-rules.js';

/** Loaded when somebody chooses a password, as few processes ever need the list. */
let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Checks a newly chosen password; existing ones are not checked.
 * @param field the request's field that the fault names
 * @throws ApiError VALIDATION_FAILED, which does not repeat the password
 */
export async function checkPassword(password: string, email: string, field = 'password'): Promise<void> {
  const words = await (common ??= loadCommon());
  const fault = passwordFault(password, email, (word) => words.has(word));
  if (fault === null) return;
  const message = `The password ${fault}.`;
  throw new ApiError('VALIDATION_FAILED', message, [{ field, message }]);
}

/** Some 49,000 passwords, the commonest first, from the lists that zxcvbn is built with. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
