import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AppLogger } from '../src/common/logger.js';
import { CampaignsApi } from './support/campaigns.js';
import { dashboardApi } from './support/dashboard-api.js';
import './support/matchers.js';
import { useTestService } from './support/test-service.js';

const service = useTestService();
let campaigns: CampaignsApi;
beforeAll(async () => {
  campaigns = new CampaignsApi(await dashboardApi(service(), 'editor'));
});

const sql = (text: string) => service().database.run({ name: '', text });

describe('A bad value that only the database refuses', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    await sql('DROP FUNCTION test_refuse CASCADE');
  });

  it.each(['22001', '22003', '22021', '22P02', '22P05'])(
    'is the caller’s fault, with a warning in the log: %s',
    async (state) => {
      await sql(`CREATE FUNCTION test_refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no such value' USING ERRCODE = '${state}'; END $$`);
      await sql(
        'CREATE TRIGGER test_refuse BEFORE INSERT ON campaigns FOR EACH ROW EXECUTE FUNCTION test_refuse()',
      );
      const warnings = jest.spyOn(AppLogger.prototype, 'warn');
      expect(await campaigns.create()).toBeError(400, 'VALIDATION_FAILED', []);
      expect(warnings.mock.calls.map(([line]) => line)).toContainEqual(
        expect.objectContaining({
          method: 'POST',
          path: '/dashboard/api/campaigns',
          error: expect.anything(),
        }),
      );
    },
  );
});
