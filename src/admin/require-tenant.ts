import { AccountsService } from '../accounts/accounts.service.js';
import type { Tenant } from '../accounts/tenant.entity.js';
import { ApiError } from '../common/errors.js';
import type { AdminContext } from './admin-context.js';

/** @throws ApiError NOT_FOUND */
export async function requireTenant(context: AdminContext, id: string): Promise<Tenant> {
  const tenant = await context.get(AccountsService).findTenant(id);
  if (tenant) return tenant;
  throw new ApiError('NOT_FOUND', 'There is no tenant with this id.', [{ field: '--tenant' }]);
}
