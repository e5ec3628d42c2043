import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { exampleNumber, RECIPIENTS } from '../src/sandbox/recipients.js';
import { text } from './support/api.js';
import { eventually } from './support/eventually.js';
import { UNBALANCED } from './support/ledger.js';
import { runSql } from './support/operator.js';
import { MISPLACED } from './support/outbox.js';
import { useTestService } from './support/test-service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const LOGIN_CODE = {
  name: 'login_code',
  components: [
    { type: 'body', parameters: [text('123456')] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [text('123456')] },
  ],
};

const numberOf = (name: string) => exampleNumber(RECIPIENTS.find((each) => each.name === name)!);

describe('The outbox', () => {
  const service = useTestService(
    { PROVIDER_TIMEOUT: 1_000, UNKNOWN_OUTCOME_WINDOW: 1, RETRY_BASE: 20, RETRY_CAP: 200 },
    { slowDelay: 300 },
  );

  async function send(phone: string, changes: object = {}): Promise<number> {
    const answer = await service().api.send(phone, { ...changes });
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const sql = (query: string, values: unknown[] = []) => runSql(service(), query, values);
  const entries = async () =>
    (await sql('SELECT message_log_id AS id FROM outbox ORDER BY id')).map(({ id }) => id);
  const holds = () => service().app.get(HoldsService, { strict: false }).list();

  /** Looks at all messages until this one is as expected: every arrow changes log and outbox together. */
  const expectRecord = (id: number, expected: Record<string, unknown>) =>
    eventually(async () => {
      expect(await sql(MISPLACED)).toEqual([]);
      expect(await service().api.message(id)).toMatchObject(expected);
    });

  const CAPPED = { auto_retry_on_frequency_cap: true };

  it.each([
    ['read', { status: 'read' }],
    ['sent_only', { status: 'sent' }],
    ['undeliverable', { status: 'failed' }],
    ['undeliverable_later', { status: 'failed' }],
    ['number_rate', { status: 'read', attempts: 3 }],
    ['transient', { status: 'read', attempts: 3 }],
    ['slow', { status: 'read', attempts: 1 }],
    ['taken_no_answer', { status: 'read', attempts: 1 }],
    ['taken_connection_lost', { status: 'read', attempts: 1 }],
    ['taken_connection_lost_no_receipt', { status: 'read', attempts: 2 }],
    ['not_taken_connection_lost', { status: 'read', attempts: 2 }],
    ['disorder', { status: 'read' }],
    ['delivered_after_failed', { status: 'delivered' }],
  ])('has an entry for a message until its end: %s', async (name, end) => {
    const id = await send(numberOf(name));
    await expectRecord(id, end);
    expect(await entries()).not.toContain(id);
  });

  it.each(['marketing_cap', 'marketing_cap_at_once'])(
    'has an entry of the retry of a capped message, and none of itself: %s',
    async (name) => {
      const id = await send(numberOf(name), CAPPED);
      await expectRecord(id, { status: 'failed', error: { code: 131049 } });
      const [retry] = await sql('SELECT id FROM message_logs WHERE retry_of = $1', [id]);
      await expectRecord(retry!['id'], { status: 'scheduled' });
      expect(await entries()).toContain(retry!['id']);
    },
  );

  it('has an entry for a scheduled or held message until it is canceled, expires or is sent', async () => {
    const { api, clock, sandbox } = service();
    const scheduled_at = new Date(clock.now().getTime() + HOUR).toISOString();
    const [scheduled, withdrawn] = [
      await send(numberOf('read'), { scheduled_at, timezone: 'UTC' }),
      await send(numberOf('read'), { scheduled_at, timezone: 'UTC' }),
    ];
    sandbox.control.revokeToken(DEMO.wabaId);
    const first = await send(numberOf('read'));
    await eventually(async () => expect(await holds()).toHaveLength(1));
    const second = await send(numberOf('read')); // which is the next to try
    const code = await send(numberOf('read'), { data: LOGIN_CODE });
    expect(await entries()).toEqual(expect.arrayContaining([scheduled, withdrawn, first, second, code]));

    expect((await api.post(`/api/v1/messages/${withdrawn}/cancel`)).status).toBe(200);
    await expectRecord(withdrawn, { status: 'canceled' });
    clock.forward(10 * MINUTE + 1_000);
    await expectRecord(code, { status: 'failed', error: { title: 'Expired before it could be sent' } });
    sandbox.control.restoreToken(DEMO.wabaId);
    clock.forward(MINUTE);
    for (const id of [first, second]) await expectRecord(id, { status: 'read' });
    const left = await entries();
    expect(left).toContain(scheduled);
    for (const id of [withdrawn, first, second, code]) expect(left).not.toContain(id);
    expect(await sql(UNBALANCED)).toEqual([]);
  });
});
