import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { runCommand } from '../src/admin/run-command.js';
import { describeFault } from '../src/admin/fault.js';
import { DEMO } from '../src/embedded/demo.js';
import { InboxService } from '../src/webhooks/inbox.service.js';
import { eventually } from './support/eventually.js';
import { directUrlOf } from './support/infrastructure.js';
import { adminEnv, runSql } from './support/operator.js';
import { useTestService } from './support/test-service.js';
import { deliverText, receipt } from './support/webhooks.js';

const service = useTestService();

const run = (text: string, values?: unknown[]) => runSql(service(), text, values);
const admin = async (line: string) =>
  (await runCommand(line.split(' '), adminEnv(service()))) as Record<string, any>;
const faultOf = (line: string) =>
  runCommand(line.split(' '), adminEnv(service())).then(() => null, describeFault);

const delivery = (value: unknown) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: DEMO.wabaId, changes: [{ field: 'messages', value }] }],
  });

async function expectStatus(id: number, status: string) {
  await eventually(async () => expect((await service().api.message(id))['status']).toBe(status));
}

/** Sends a message that gets only the receipt `sent` from the sandbox. */
async function sentMessage(): Promise<number> {
  const id = (await service().api.send('+12025550102')).body.data['message_log_id'];
  await expectStatus(id, 'sent');
  return id;
}

async function receiptFor(id: number, status: string): Promise<string> {
  const { provider_message_id } = await service().api.message(id);
  return delivery(receipt({ id: provider_message_id, status }));
}

/** A receipt whose event PostgreSQL refuses, by the constraint below. */
const poisonFor = (id: number) => receiptFor(id, 'poison');
beforeAll(async () => {
  await run(`ALTER TABLE message_events ADD CONSTRAINT test_no_poison CHECK (event <> 'poison') NOT VALID`);
});

const rowsOf = (payload: string) => run('SELECT * FROM webhook_inbox WHERE payload = $1', [payload]);
const repeated = async () =>
  Number(
    /tms_webhooks_total\{effect="repeated"\} (\d+)/.exec((await service().api.get('/metrics')).text)?.[1] ??
      0,
  );

/** Delivers the payload, and waits until it is put aside. @returns its inbox id */
async function parkedDelivery(payload: string): Promise<number> {
  expect((await deliverText(service(), payload)).status).toBe(200);
  const [row] = await eventually(async () => {
    const rows = await rowsOf(payload);
    expect(rows).toEqual([expect.objectContaining({ parked_at: expect.any(Date) })]);
    return rows;
  });
  return row?.['id'];
}

describe('Deliveries', () => {
  it('are stored in the order in which they came, also within one commit', async () => {
    const inbox = service().app.get(InboxService, { strict: false });
    const payloads = Array.from({ length: 20 }, (_, i) => JSON.stringify({ entry: [], in_order: i }));
    await Promise.all(payloads.map((payload) => inbox.put(payload, false)));
    const rows = await run(`SELECT payload FROM webhook_inbox WHERE payload LIKE '%in_order%' ORDER BY id`);
    expect(rows.map((row) => row['payload'])).toEqual(payloads);
  });

  it('of a second batch do not wait for the first batch', async () => {
    const [first, second] = [await sentMessage(), await sentMessage()];
    const other = new Client({ connectionString: directUrlOf(service().config) });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM message_logs WHERE id = $1 FOR UPDATE', [first]);
      await run(
        `INSERT INTO webhook_inbox (payload, received_at, next_try_at)
         SELECT CASE WHEN i <= 500 THEN $1 ELSE $2 END, now(), now() FROM generate_series(1, 501) i ORDER BY i`,
        [await receiptFor(first, 'delivered'), await receiptFor(second, 'delivered')],
      );
      await expectStatus(second, 'delivered');
      expect((await service().api.message(first))['status']).toBe('sent');
    } finally {
      await other.query('COMMIT');
      await other.end();
    }
    await expectStatus(first, 'delivered');
  });
});

describe('A delivery that comes again', () => {
  it.each(['waits', 'was applied'])(
    'is answered and counted, and not stored again when it %s',
    async (state) => {
      const before = await repeated();
      const id = await sentMessage();
      const payload = await receiptFor(id, 'delivered');
      if (state === 'was applied') {
        await deliverText(service(), payload);
        await expectStatus(id, 'delivered');
      }
      const answers = await Promise.all(Array.from({ length: 5 }, () => deliverText(service(), payload)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
      await expectStatus(id, 'delivered');
      expect(await rowsOf(payload)).toHaveLength(1);
      expect((await repeated()) - before).toBe(state === 'was applied' ? 5 : 4);
    },
  );

  it('changes nothing when the first one was put aside', async () => {
    const payload = await poisonFor(await sentMessage());
    const parked = await parkedDelivery(payload);
    expect((await deliverText(service(), payload)).status).toBe(200);
    expect(await rowsOf(payload)).toEqual([
      expect.objectContaining({ id: parked, tries: 1, parked_at: expect.any(Date) }),
    ]);
  });

  const statusOf = async (language: string) =>
    (
      await run('SELECT status FROM templates WHERE name = $1 AND language = $2', ['order_update', language])
    )[0]?.['status'];
  const change = (event: string, language: string, time?: number) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: DEMO.wabaId,
          time,
          changes: [
            {
              field: 'message_template_status_update',
              value: { event, message_template_name: 'order_update', message_template_language: language },
            },
          ],
        },
      ],
    });

  it('does not undo a change that came after the first one', async () => {
    await deliverText(service(), change('PAUSED', 'en_US', 1));
    await eventually(async () => expect(await statusOf('en_US')).toBe('PAUSED'));
    await deliverText(service(), change('APPROVED', 'en_US', 2));
    await eventually(async () => expect(await statusOf('en_US')).toBe('APPROVED'));
    await deliverText(service(), change('PAUSED', 'en_US', 1));
    await deliverText(service(), change('DISABLED', 'ar', 3)); // applied after the repeated one
    await eventually(async () => expect(await statusOf('ar')).toBe('DISABLED'));
    expect(await statusOf('en_US')).toBe('APPROVED');
  });

  it('counts as a second pause when it has no time', async () => {
    for (const [event, status] of [
      ['PAUSED', 'PAUSED'],
      ['REINSTATED', 'APPROVED'],
      ['PAUSED', 'PAUSED'],
      ['REINSTATED', 'APPROVED'],
    ] as const) {
      await deliverText(service(), change(event, 'en_US'));
      await eventually(async () => expect(await statusOf('en_US')).toBe(status));
    }
  });
});

describe('Deliveries that were put aside', () => {
  it('are listed and replayed, one or all, after their cause is gone', async () => {
    const ids = [await sentMessage(), await sentMessage(), await sentMessage()];
    const parked = [];
    for (const id of ids) parked.push(await parkedDelivery(await poisonFor(id)));
    const listed = await admin('inbox:parked');
    expect(listed['total']).toBeGreaterThanOrEqual(3);
    expect(listed['parked']).toContainEqual({
      id: parked[0],
      received_at: expect.any(Date),
      parked_at: expect.any(Date),
      tries: 1,
      error: expect.stringMatching(/./),
      excerpt: expect.stringContaining('whatsapp_business_account'),
    });
    expect((await admin('inbox:parked --limit 1'))['parked']).toHaveLength(1);

    // The cause.
    await run(
      `UPDATE webhook_inbox SET payload = replace(payload, 'poison', 'delivered') WHERE parked_at IS NOT NULL RETURNING 1`,
    );
    expect(await admin(`inbox:replay --id ${parked[0]}`)).toEqual({ replayed: 1 });
    await expectStatus(ids[0] as number, 'delivered');
    await expectStatus(ids[1] as number, 'sent');
    expect((await admin('inbox:replay --all'))['replayed']).toBeGreaterThanOrEqual(2);
    for (const id of ids) await expectStatus(id, 'delivered');
    await eventually(async () => expect(await admin('inbox:parked')).toEqual({ parked: [], total: 0 }));
    expect(await admin('inbox:replay --all')).toEqual({ replayed: 0 });
  });

  it.each([
    ['NOT_FOUND', 'inbox:replay --id 999999'],
    ['VALIDATION_FAILED', 'inbox:replay'],
    ['VALIDATION_FAILED', 'inbox:replay --id 1 --all'],
  ])('are not replayed by a wrong command: %s for "%s"', async (code, line) => {
    expect(await faultOf(line)).toMatchObject({ code, details: [{ field: '--id' }] });
  });

  it('wait until they can be put aside, while the process goes on', async () => {
    await run(`ALTER TABLE webhook_inbox ADD CONSTRAINT test_no_parking CHECK (parked_at IS NULL) NOT VALID`);
    const id = await sentMessage();
    const payload = await poisonFor(id);
    await deliverText(service(), payload);
    await deliverText(service(), await receiptFor(id, 'read'));
    await expectStatus(await sentMessage(), 'sent');
    expect(await rowsOf(payload)).toEqual([expect.objectContaining({ parked_at: null, processed_at: null })]);
    await run('ALTER TABLE webhook_inbox DROP CONSTRAINT test_no_parking');
    await eventually(async () =>
      expect(await rowsOf(payload)).toEqual([expect.objectContaining({ parked_at: expect.any(Date) })]),
    );
    await expectStatus(id, 'read');
  });
});
