import { afterEach, describe, expect, it } from '@jest/globals';
import { ReceiptWatchService } from '../src/delivery/receipt-watch.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { HoldAlertsService } from '../src/outbox/holds/hold-alerts.service.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';

const service = useTestService();
const told = new ToldUpdates(service);
const holds = () => service().app.get(HoldsService, { strict: false });
const liftAll = async () => {
  for (const { id } of await holds().list()) await holds().lift(id, 'command');
};
const alerts = async (...kinds: string[]) => (await told.alerts()).filter(({ kind }) => kinds.includes(kind));

afterEach(async () => {
  await liftAll();
  await service().app.get(HoldAlertsService, { strict: false }).settle();
});

describe('A hold', () => {
  it.each([
    ['+12025550151', 'token_refused', `Messages of the business account ${DEMO.wabaId} wait.`],
    ['+12025550192', 'hold', 'Payment problem of the business account'],
    ['+12025550150', 'hold', 'Messages of the template order_update (en_US) wait.'],
    [
      '+12025550194',
      'hold',
      `Messages of the number ${DEMO.numbers[0].name} (${DEMO.numbers[0].apiId}) wait.`,
    ],
  ])('by a message to %s is the alert %s, which ends with it', async (phone, kind, text) => {
    await service().api.send(phone);
    const open = await eventually(async () => {
      const found = await alerts('hold', 'token_refused');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(open).toMatchObject([{ kind, severity: 'error', times: 1, may_dismiss: true }]);
    expect(open[0]!['text']).toContain(text);
    expect(open[0]!['text']).not.toContain(phone.slice(1));
    await liftAll();
    await eventually(async () => expect(await alerts(kind)).toEqual([]));
  });

  it('whose alert was dismissed is not alerted again, and the next one is', async () => {
    const target = { tenantId: service().tenantId, scope: 'number', targetId: await demoNumber() } as const;
    const begin = () =>
      told.run(
        `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
         VALUES ($1, 'number', $2, 'spam', '{"code": 131048, "title": "Number restricted"}', $3, 'infinity')`,
        [target.tenantId, target.targetId, service().clock.now()],
      );
    await begin();
    const [alert] = await eventually(async () => {
      const found = await alerts('hold');
      expect(found).toHaveLength(1);
      return found;
    });
    await told.run(`UPDATE alerts SET ended_at = now(), ended_by = 'dashboard' WHERE id = $1`, [
      alert!['alert_id'],
    ]);
    await service().app.get(HoldAlertsService, { strict: false }).settle();
    expect(await alerts('hold')).toEqual([]);
    await liftAll();
    service().clock.forward(1_000);
    await begin();
    await eventually(async () => expect(await alerts('hold')).toHaveLength(1));
  });
});

async function demoNumber(): Promise<string> {
  const [row] = await told.run<{ id: number }>('SELECT id FROM messaging_accounts WHERE api_id = $1', [
    DEMO.numbers[0].apiId,
  ]);
  return String(row!.id);
}

describe('Receipts that do not come', () => {
  const look = () => service().app.get(ReceiptWatchService, { strict: false }).look();
  const send = async (count: number) => {
    const ids: number[] = [];
    for (let i = 0; i < count; i++) {
      const { body } = await service().api.send('+12025550100');
      ids.push(body.data['message_log_id'] as number);
    }
    return ids;
  };
  const areCounted = (count: number) =>
    eventually(async () => {
      const [row] = await told.run<{ n: number }>('SELECT coalesce(sum(sent), 0) AS n FROM number_activity');
      expect(Number(row!.n)).toBeGreaterThanOrEqual(count);
    });

  it('for ten minutes are alerted, until one comes', async () => {
    await told.run('DELETE FROM number_activity');
    service().sandbox.control.setSubscribed(DEMO.wabaId, false);
    service().clock.forward(5 * 60_000);
    await send(6);
    await areCounted(6);
    await look();
    expect(await alerts('receipts_missing')).toEqual([]);
    service().clock.forward(11 * 60_000);
    await look();
    await look();
    expect(await alerts('receipts_missing')).toMatchObject([{ severity: 'error', times: 1 }]);
    service().sandbox.control.setSubscribed(DEMO.wabaId, true);
    const [id] = await send(1);
    await eventually(async () => expect(await service().api.message(id!)).toMatchObject({ status: 'read' }));
    await eventually(async () => {
      await look();
      expect(await alerts('receipts_missing')).toEqual([]);
    });
  });

  it('are not missed where they come, or where next to nothing is sent', async () => {
    await told.run('DELETE FROM number_activity');
    await send(6);
    await areCounted(6);
    service().clock.forward(11 * 60_000);
    await look();
    expect(await alerts('receipts_missing')).toEqual([]);
  });
});
