import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../src/admin/run-command.js';
import { DEMO } from '../src/embedded/demo.js';
import { eventually } from './support/eventually.js';
import { adminEnv } from './support/operator.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';

const service = useTestService();
const run = (text: string) => service().database.run<Record<string, any>>({ name: '', text });

const waba = DEMO.wabaId;
let messages: { id: number; wamid: string }[];

/** Sends messages that get only the receipt `sent` from the sandbox. */
async function sentMessages(count: number): Promise<typeof messages> {
  const answers = await Promise.all(Array.from({ length: count }, () => service().api.send('+12025550102')));
  const ids = answers.map((answer) => answer.body.data['message_log_id'] as number);
  return Promise.all(
    ids.map(async (id) => ({
      id,
      wamid: await eventually(async () => {
        const message = await service().api.message(id);
        expect(message['status']).toBe('sent');
        return message['provider_message_id'] as string;
      }),
    })),
  );
}

const TOLD = "SELECT DISTINCT message_log_id FROM message_events WHERE details ->> 'source' = 'receipt'";
const statusOf = async (id: number) => (await service().api.message(id))['status'] as string;
const statuses = () => Promise.all(messages.map(({ id }) => statusOf(id)));
const expectDone = () =>
  eventually(async () =>
    expect(
      await run('SELECT id FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL'),
    ).toEqual([]),
  );
const parked = () => run('SELECT * FROM webhook_inbox WHERE parked_at IS NOT NULL ORDER BY id');
const replay = () => runCommand(['inbox:replay', '--all'], adminEnv(service()));

const counted = async (effect: string) =>
  Number(
    new RegExp(`tms_webhooks_total\\{effect="${effect}"\\} (\\d+)`).exec(
      (await service().api.get('/metrics')).text,
    )?.[1] ?? 0,
  );

/** Makes PostgreSQL refuse every event of these messages until `mend`. */
async function refuse(ids: number[]): Promise<void> {
  await run(
    `ALTER TABLE message_events ADD CONSTRAINT test_refused CHECK (message_log_id NOT IN (${ids.join()})) NOT VALID`,
  );
}
const mend = () => run('ALTER TABLE message_events DROP CONSTRAINT IF EXISTS test_refused');

/** One delivery of a thousand receipts: for all our messages, and for others that we do not know. */
function thousand(status: string) {
  const others = Array.from({ length: 1_000 - messages.length }, (_, n) => `wamid.of-another-system-${n}`);
  const ids = [...messages.map(({ wamid }) => wamid), ...others];
  const value = receipt({});
  return { ...value, statuses: ids.map((id) => ({ ...value.statuses[0], id, status })) };
}

beforeAll(async () => {
  messages = await sentMessages(20);
  // Their own receipts are applied, too: they would be counted with those of a test.
  await eventually(async () => {
    if ((await run(TOLD)).length < messages.length) throw new Error('Not all receipts are applied yet');
  });
});
afterEach(async () => {
  await mend();
  await run('DELETE FROM webhook_inbox');
});

const all = (status: string) => messages.map(() => status);
const allBut = (bad: number, status: string, before: string) =>
  messages.map((_, index) => (index === bad ? before : status));

describe('A delivery of a thousand receipts', () => {
  it('is applied except for one receipt that cannot be, which a replay applies later', async () => {
    const [parkedBefore, appliedBefore] = [await counted('parked'), await counted('applied')];
    const bad = messages[7]!;
    await refuse([bad.id]);
    expect((await deliver(service(), [waba, 'messages', thousand('delivered')])).status).toBe(200);
    await expectDone();
    expect(await statuses()).toEqual(allBut(7, 'delivered', 'sent'));
    const [rest, ...others] = await parked();
    expect(others).toEqual([]);
    expect(rest).toMatchObject({
      tries: 1,
      error: expect.stringMatching(/^1 update\(s\) of delivery \d+: .*test_refused/),
    });
    const { entry } = JSON.parse(rest!['payload']);
    expect(entry).toMatchObject([
      { id: waba, changes: [{ field: 'messages', value: { statuses: [{ id: bad.wamid }] } }] },
    ]);
    expect(entry[0].changes[0].value.statuses).toHaveLength(1);
    expect([(await counted('parked')) - parkedBefore, (await counted('applied')) - appliedBefore]).toEqual([
      1, 1,
    ]);

    expect(await replay()).toEqual({ replayed: 1 });
    await expectDone();
    expect(await parked()).toHaveLength(1);
    await mend();
    expect(await replay()).toEqual({ replayed: 1 });
    await eventually(async () => expect(await statusOf(bad.id)).toBe('delivered'));
    expect(await parked()).toEqual([]);
    expect(await statuses()).toEqual(all('delivered'));
  });

  it('beside an update of an unknown account leaves two parts: that update, and the receipt that cannot be applied', async () => {
    await refuse([messages[3]!.id]);
    await deliver(
      service(),
      [waba, 'messages', thousand('read')],
      ['700100100100100', 'security', { event: 'PIN_CHANGED' }],
    );
    await expectDone();
    expect(await statuses()).toEqual(allBut(3, 'read', 'delivered'));
    expect(await parked()).toEqual([
      expect.objectContaining({ unknown_accounts: ['700100100100100'] }),
      expect.objectContaining({ unknown_accounts: null, error: expect.stringContaining('test_refused') }),
    ]);
    await mend();
    await replay();
    await eventually(async () => expect(await statusOf(messages[3]!.id)).toBe('read'));
  });
});

describe('Deliveries beside one that cannot be applied', () => {
  it('are applied, whether they are in its batch or come meanwhile', async () => {
    messages = await sentMessages(20);
    await refuse([messages[11]!.id]);
    const one = ({ wamid }: { wamid: string }) =>
      deliver(service(), [waba, 'messages', receipt({ id: wamid, status: 'delivered' })]);
    await Promise.all(messages.map(one));
    await expectDone();
    expect(await statuses()).toEqual(allBut(11, 'delivered', 'sent'));
    const rows = await run(
      `SELECT payload, tries, parked_at FROM webhook_inbox WHERE payload LIKE '%"delivered"%'`,
    );
    expect(rows.map(({ tries }) => tries)).toEqual(all('delivered').map(() => 1));
    expect(rows.filter(({ parked_at }) => parked_at).map(({ payload }) => payload)).toEqual([
      expect.stringContaining(messages[11]!.wamid),
    ]);
  });
});

describe('Updates of templates, accounts and numbers', () => {
  const template = { message_template_name: 'order_update', message_template_language: 'en_US' };
  /** Longer than an entry of an index may be, and not compressible. */
  const LONG = randomBytes(20_000).toString('base64');
  const ODD = ['a\u0000b', '\ud83d', { toString: 1 }, ['x'], 7e300, null, LONG, LONG.replaceAll(/\D/g, '')];

  it('with texts that are no texts, or cannot be stored, do not stop the updates beside them', async () => {
    const [{ id, wamid }] = (await sentMessages(1)) as [(typeof messages)[0]];
    const updates = ODD.flatMap((odd): [string, string, unknown][] => [
      [
        waba,
        'message_template_status_update',
        { ...template, event: odd, reason: odd, message_template_id: odd },
      ],
      [
        waba,
        'message_template_status_update',
        { message_template_name: odd, message_template_language: odd, event: 'PAUSED' },
      ],
      [waba, 'message_template_quality_update', { ...template, new_quality_score: odd }],
      [waba, 'template_category_update', { ...template, new_category: odd, correct_category: odd }],
      [waba, 'phone_number_quality_update', { display_phone_number: odd, event: odd, current_limit: odd }],
      [waba, 'business_capability_update', { max_daily_conversations_per_business: odd }],
      [
        waba,
        'account_update',
        { event: odd, ban_info: odd, restriction_info: odd, waba_info: { owner_business_id: odd } },
      ],
      [
        waba,
        'account_update',
        { event: 'VOLUME_BASED_PRICING_TIER_UPDATE', volume_tier_info: { region: odd, tier: odd } },
      ],
      [waba, 'account_alerts', { entity_type: odd, entity_id: odd, alert_type: odd, alert_description: odd }],
      [waba, 'security', { display_phone_number: odd, event: odd, requester: odd }],
      [waba, 'user_preferences', [{ value: odd, wa_id: odd }]],
      [waba, 'a_field_of_the_future', odd],
    ]);
    const answer = await deliver(service(), ...updates, [
      waba,
      'messages',
      receipt({ id: wamid, status: 'delivered' }),
    ]);
    expect(answer.status).toBe(200);
    await expectDone();
    expect(await parked()).toEqual([]);
    expect(await statusOf(id)).toBe('delivered');
    const [stored] = await run(
      `SELECT status, quality_score FROM templates WHERE name = 'order_update' AND language = 'en_US'`,
    );
    expect(stored).toMatchObject({ status: 'APPROVED' });
  });
});
