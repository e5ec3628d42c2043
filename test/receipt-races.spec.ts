import { beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { OutcomesStore } from '../src/delivery/outcomes.store.js';
import { DEMO } from '../src/embedded/demo.js';
import { PartitionsService } from '../src/scheduling/partitions.service.js';
import { eventually } from './support/eventually.js';
import { directUrlOf } from './support/infrastructure.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';

/** Ids between the beginnings of two partitions, and messages in each. */
const PART = 10_000_000;
const PARTS = 4;
const EACH = 2;

/** The last digits of a recipient whose messages are sent, and get no receipt. */
const SENT_ONLY = '0102';

const service = useTestService();
let ids: number[];

/** Messages that ended long ago, behind each of those: PostgreSQL looks up rows by their ids in tables that are large. */
const FILL = `
  INSERT INTO message_logs
  SELECT copy.* FROM message_logs m CROSS JOIN generate_series(1, 5000) n
    CROSS JOIN jsonb_populate_record(m, jsonb_build_object('id', m.id + 1000 * n, 'provider_message_id', NULL,
      'accept_token', NULL)) copy`;

const use = (id: number) =>
  service().database.run({ name: '', text: `SELECT setval('message_logs_id_seq', ${id})` });

let exchange = 300;
const send = async () =>
  (await service().api.send(`1202${(exchange += 1)}${SENT_ONLY}`)).body.data['message_log_id'] as number;

/** Messages that are sent, in several partitions. */
beforeAll(async () => {
  ids = [];
  for (let part = 0; part < PARTS; part += 1) {
    await use(part * PART + PART / 2);
    // Another one may be reading or vacuuming the table: then its keeper tries again later, too.
    await eventually(() => service().app.get(PartitionsService, { strict: false }).makeAhead());
    for (let i = 0; i < EACH; i += 1) ids.push(await send());
  }
  await eventually(async () => {
    for (const id of ids)
      if ((await service().api.message(id))['status'] !== 'sent') throw new Error(`${id} is not sent yet`);
  });
  for (const text of [FILL, 'ANALYZE message_logs'])
    await service().database.run({ name: '', text, timeout: 60_000 });
});

/** Who is kept waiting by a lock. */
const WAITING = {
  name: '',
  text: `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
};

/** Does something while another statement has changed one of the messages, which it then commits. */
async function besideChange<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  const other = new pg.Client({ connectionString: directUrlOf(service().config) });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE message_logs SET attempts = attempts WHERE id = $1', [ids[EACH]]);
    const answer = act();
    await eventually(async () => expect(await service().database.run(WAITING)).not.toEqual([]));
    await other.query('COMMIT');
    return await answer;
  } finally {
    await other.end();
  }
}

it.each([
  ['Receipts', true, 'delivered'],
  ['Receipts without our tag', false, 'read'],
])(
  '%s of one delivery move all of their messages, though another statement has just changed one of them',
  async (_, tagged, status) => {
    const told = service()
      .sandbox.messages()
      .map((copy): [string, string, unknown] => [
        DEMO.wabaId,
        'messages',
        receipt({
          id: copy.wamid,
          status,
          recipient_id: copy.to,
          biz_opaque_callback_data: tagged ? copy.biz_opaque_callback_data : undefined,
        }),
      ]);
    await besideChange(async () => expect((await deliver(service(), ...told)).status).toBe(200));
    await eventually(async () => {
      const statuses = await Promise.all(ids.map(async (id) => (await service().api.message(id))['status']));
      expect(statuses).toEqual(ids.map(() => status));
    });
  },
);

it('Answers of the provider are recorded for all of their messages, though a receipt has just changed one of them', async () => {
  const outcomes = service().app.get(OutcomesStore, { strict: false });
  const recorded = await besideChange(() =>
    Promise.all(
      ids.map((id) => outcomes.recordSent({ id, attempt: 1, provider_message_id: null, details: {} })),
    ),
  );
  expect(recorded).toEqual(ids.map(() => ({ applied: true })));
});
