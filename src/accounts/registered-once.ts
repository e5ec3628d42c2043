import { ApiError } from '../common/errors.js';
import { isDuplicate } from '../database/database-errors.js';

/** Ids that may be registered only once, across all tenants, by their constraint. */
const RULES = [
  {
    constraint: 'business_accounts_waba_id_key',
    field: 'waba_id',
    message: 'This WABA id is already registered.',
  },
  {
    constraint: 'messaging_accounts_phone_number_id_key',
    field: 'phone_number_id',
    message: 'This phone number id is already registered.',
  },
];

/**
 * Saves a row that carries an id of the provider.
 * @throws ApiError VALIDATION_FAILED, naming the field, when that id is registered already
 */
export async function registeredOnce<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    const rule = RULES.find(({ constraint }) => isDuplicate(error, constraint));
    if (!rule) throw error;
    const { field, message } = rule;
    throw new ApiError('VALIDATION_FAILED', message, [{ field, message }]);
  }
}
