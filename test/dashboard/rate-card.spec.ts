import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';

const CARDS = '/dashboard/api/rate-cards';
const UPLOADS = '/dashboard/api/uploads/rate-card';
const HOUR = 3_600_000;
const HEADER = 'Market,Currency,Marketing,Utility,Authentication,Authentication-International';

const service = useTestService();
let operator: Api;
beforeAll(async () => {
  operator = await dashboardApi(service(), 'viewer', { operator: true });
});

const upload = (api: Api, csv: string) =>
  api.request('POST', UPLOADS, Buffer.from(csv), { 'Content-Type': 'text/csv' });
const cards = async () => (await operator.get(CARDS)).body.data;
const soon = () => new Date(service().clock.now().getTime() + HOUR).toISOString();

describe('the rate card', () => {
  it('is shown to everybody, with the cards that will follow', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    const { data } = (await viewer.get(CARDS)).body;
    expect(data['in_force'].rates[0]).toEqual({
      market: 'Argentina',
      currency: 'USD',
      category: 'MARKETING',
      amount: '0.06',
    });
    expect(data).toMatchObject({ upcoming: [], markup_percent: '0.0000' });
  });

  it('is compared with a new card before that one is loaded', async () => {
    const { status, body } = await upload(operator, `${HEADER}\nArgentina,USD,0.066,0.03,0.03,n/a`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      rates: 3,
      added: [],
      changed: [{ market: 'Argentina', category: 'MARKETING', percent: '10.0' }],
      unchanged: 2,
    });
    expect(body.data['removed'].length).toBeGreaterThan(10);
    expect((await cards()).upcoming).toEqual([]);
  });

  it('names the line of each fault', async () => {
    const answer = await upload(operator, `${HEADER}\nBrazil,USD,much,0.01,0.01,n/a\nBrazil,USD,1,1,1,1`);
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'csv', line: 2 }),
      expect.objectContaining({ field: 'csv', line: 3 }),
    ]);
    expect(await operator.post(CARDS, { csv: 'nonsense' })).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'csv', line: 1 }),
    ]);
    expect(await upload(operator, 'x'.repeat(300_000))).toBeError(413, 'PAYLOAD_TOO_LARGE');
  });

  it('is replaced when the time of the next card has come', async () => {
    const csv = `${HEADER}\nNorth America,USD,1,2,3,n/a`;
    const effective_from = soon();
    expect((await operator.post(CARDS, { csv, effective_from })).status).toBe(201);
    const { in_force, upcoming } = await cards();
    expect(in_force.rates.length).toBeGreaterThan(10);
    expect(upcoming).toMatchObject([{ effective_from, rates: [{ amount: '1' }, {}, {}] }]);
    service().clock.forward(HOUR);
    expect(await cards()).toMatchObject({ in_force: { effective_from }, upcoming: [] });
    await eventually(async () =>
      expect((await service().api.send('+12025550100')).body.data['cost']).toBe(2),
    );
  });

  it('cannot take effect in the past', async () => {
    const effective_from = new Date(service().clock.now().getTime() - HOUR).toISOString();
    expect(await operator.post(CARDS, { csv: `${HEADER}\nBrazil,USD,1,1,1,1`, effective_from })).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'effective_from' })],
    );
  });

  it('can be loaded by operators alone, as all tenants share it', async () => {
    const owner = await dashboardApi(service(), 'owner');
    expect(await upload(owner, HEADER)).toBeError(403, 'FORBIDDEN');
    expect(await owner.post(CARDS, { csv: HEADER })).toBeError(403, 'FORBIDDEN');
  });
});
