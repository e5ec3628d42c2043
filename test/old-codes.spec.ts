import { afterEach, expect, it } from '@jest/globals';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { UNBALANCED } from './support/ledger.js';
import { startSecondService, startTestService } from './support/service.js';

const SECOND = 1_000;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

it('A worker that comes back after an outage sends no authentication code whose time is over, and what else waits', async () => {
  const service = await startTestService({ ROLE: 'api' });
  ends.push(() => service.stop());
  const { clock, config } = service;
  const budget = config.RETRY_BUDGET_AUTHENTICATION * SECOND;
  const send = async (changes: Record<string, unknown> = {}): Promise<number> => {
    const answer = await service.api.send('+12025550100', changes);
    return answer.body.data['message_log_id'];
  };
  const code = { data: { name: 'login_code', components: CODE } };
  const later = new Date(clock.now().getTime() + budget).toISOString();
  const old = [await send(code), await send(code)];
  const other = await send();
  const scheduled = await send({ ...code, scheduled_at: later, timezone: 'UTC' });
  clock.forward(budget + SECOND);
  const fresh = await send(code);

  const worker = await startSecondService(service, 'worker');
  ends.push(() => worker.stop());
  const expectRecord = (id: number, expected: object) =>
    eventually(async () => expect(await service.api.message(id)).toMatchObject(expected));
  const error = { code: 'EXPIRED', title: 'Expired before it could be sent' };
  for (const id of old) await expectRecord(id, { status: 'failed', error });
  for (const id of [other, scheduled, fresh])
    await eventually(async () => expect(copiesOf(service, id)).toHaveLength(1));
  for (const id of old) expect(copiesOf(service, id)).toEqual([]);
  expect(await service.database.run({ name: 'test_unbalanced', text: UNBALANCED })).toEqual([]);
});

const CODE = [
  { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
  { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '482913' }] },
];
