import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import '../support/matchers.js';
import { runSql } from '../support/operator.js';
import { send } from '../support/template-drafts.js';
import { useTestService } from '../support/test-service.js';

const service = useTestService();
const NUMBERS = '/dashboard/api/numbers';
const LIMIT = { period: 'day', currency: 'USD', amount: '1' };
const NUMBER = `${NUMBERS}/${DEMO.numbers[0].apiId}`;
let operator: Api;
let account: string;
beforeAll(async () => {
  operator = await dashboardApi(service(), 'owner', { operator: true });
  const [row] = await runSql(service(), 'SELECT id FROM business_accounts');
  account = row?.['id'] as string;
});

const accountPath = () => `${NUMBERS}/business-accounts/${account}`;

describe('A field that may be missing', () => {
  it.each<[field: string, method: string, path: () => string, others: object]>([
    ['expires_at', 'POST', () => '/dashboard/api/api-keys', { name: 'Shop' }],
    ['messaging_account_id', 'PUT', () => '/dashboard/api/spend-limits', LIMIT],
    ['api_key_id', 'PUT', () => '/dashboard/api/spend-limits', LIMIT],
    ['effective_from', 'POST', () => '/dashboard/api/rate-cards', { csv: '' }],
    ['access_token', 'PATCH', accountPath, {}],
    ['app_secret', 'PATCH', accountPath, {}],
    ['phone_number_id', 'PATCH', () => NUMBER, {}],
    ['phone', 'PATCH', () => NUMBER, {}],
    ['name', 'PATCH', () => NUMBER, {}],
    ['messages_per_second', 'PATCH', () => NUMBER, {}],
  ])('such as %s cannot be null', async (field, method, path, others) => {
    const answer = await send(operator, method, path(), { ...others, [field]: null });
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [expect.objectContaining({ field })]);
  });
});
