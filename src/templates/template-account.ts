import type { AccountsService, BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';

/**
 * A business account of the tenant with what calls to the provider need.
 * @throws ApiError ACCOUNT_NOT_FOUND, for another tenant's account too
 */
export async function accountOf(
  accounts: AccountsService,
  tenantId: string,
  businessAccountId: string,
): Promise<BusinessAccountSecrets> {
  const account = await accounts.secretsOf(businessAccountId);
  if (account?.tenantId === tenantId) return account;
  throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no business account with this id.', [
    { field: 'business_account_id' },
  ]);
}
