import { expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';

const service = useTestService();
const told = new ToldUpdates(service);

/** What the tenant was told of its accounts and numbers, once there are as many events. */
const expectTold = (count: number) =>
  eventually(async () => {
    const stream = service().app.get(EventStream, { strict: false });
    const types = ['number.hold', 'account.hold', 'account.alert'] as const;
    const { events } = await stream.read(service().tenantId, null, { limit: 1_000, types });
    expect(events).toHaveLength(count);
    return events;
  });

const ban = (state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } });

it('A ban is told as an alert and a hold, its end as the end of the hold, and what is repeated not again', async () => {
  await told.tell('account_update', ban('DISABLE'));
  await told.tell('account_update', ban('DISABLE'));
  await told.tell('account_update', ban('REINSTATE'));
  const events = await expectTold(4);
  const alert = { kind: 'account_banned', severity: 'error', waba_id: DEMO.wabaId };
  const hold = { waba_id: DEMO.wabaId, cause: 'banned' };
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  expect(of('account.hold')).toMatchObject([
    { ...hold, held: true },
    { ...hold, held: false },
  ]);
  expect(of('account.alert')).toMatchObject([alert, alert]); // the second has come again, with a later time
});

it('A hold on a number is told when it begins and ends, once', async () => {
  const before = 4;
  const holds = service().app.get(HoldsService, { strict: false });
  const [number] = await told.run<{ id: number; api_id: string; tenant_id: string }>(
    'SELECT id, api_id, tenant_id FROM messaging_accounts WHERE api_id = $1',
    [DEMO.numbers[0].apiId],
  );
  const target = { tenantId: number!.tenant_id, scope: 'number', targetId: String(number!.id) } as const;
  const hold = { cause: 'restricted', title: 'Restricted', details: null, until: null } as const;
  await holds.placeOn(target, { ...hold, occurredAt: service().clock.now() });
  const [{ id } = { id: 0 }] = await holds.list();
  expect(await holds.lift(id, 'command')).toBe(true);
  expect(await holds.lift(id, 'command')).toBe(false);
  const events = await expectTold(before + 2);
  const own = { messaging_account_id: number!.api_id, cause: 'restricted', error: { title: 'Restricted' } };
  expect(events.slice(before)).toMatchObject([
    { type: 'number.hold', data: { ...own, held: true } },
    { type: 'number.hold', data: { ...own, held: false } },
  ]);
});
