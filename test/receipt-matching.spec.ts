import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { MessageLogStore } from '../src/messages/message-log.store.js';
import { tagOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';
import { deliver, receipt } from './support/webhooks.js';

const RECIPIENT = '12025550102';
const STRANGER = '14155550199';
const FAILED = { status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ PROVIDER_TIMEOUT: 500 });
});
afterAll(() => service.stop());

/** Sends a message, and waits until the provider's id is on record. */
async function sentMessage(): Promise<{ id: number; wamid: string }> {
  const id: number = (await service.api.send(RECIPIENT)).body.data['message_log_id'];
  await expectStatus(id, 'sent');
  return { id, wamid: (await service.api.message(id))['provider_message_id'] };
}

/** Sends a message that may have been taken, but gets no answer. */
async function unansweredMessage(phone = RECIPIENT): Promise<number> {
  service.sandbox.control.setFault({ mode: 'drop' });
  const id: number = (await service.api.send(phone)).body.data['message_log_id'];
  await eventually(async () => {
    const { events } = await service.api.message(id);
    expect(events.map(({ event }: { event: string }) => event)).toContain('outcome_unknown');
  });
  service.sandbox.control.setFault({ mode: 'none' });
  return id;
}

const expectStatus = (id: number, status: string) =>
  eventually(async () => expect(await service.api.message(id)).toMatchObject({ status }));

/** Delivers a receipt for the first number, or for another, and waits until it is applied. */
async function receiptComes(fields: Record<string, unknown>, metadata = {}): Promise<void> {
  const value = receipt({ recipient_id: RECIPIENT, ...fields });
  const answer = await deliver(service, [
    DEMO.wabaId,
    'messages',
    { ...value, metadata: { ...value.metadata, ...metadata } },
  ]);
  expect(answer.status).toBe(200);
  await eventually(async () => {
    const [row] = await service.database.run<{ waiting: number }>({
      name: 'test_inbox_waiting',
      text: 'SELECT count(*) AS waiting FROM webhook_inbox WHERE processed_at IS NULL',
    });
    expect(row?.waiting).toBe(0);
  });
}

describe('A receipt with the tag of a message', () => {
  it('moves it while no id of the provider is known', async () => {
    const id = await unansweredMessage();
    await receiptComes({
      id: 'wamid.first',
      status: 'delivered',
      biz_opaque_callback_data: await tagOf(service, id),
    });
    expect(await service.api.message(id)).toMatchObject({
      status: 'delivered',
      provider_message_id: 'wamid.first',
    });
  });

  it.each([
    ['another recipient', { recipient_id: STRANGER }, {}],
    ['another number', {}, { phone_number_id: DEMO.numbers[1].phoneNumberId }],
  ])('and %s does not move it', async (_what, fields, metadata) => {
    const id = await unansweredMessage();
    const biz_opaque_callback_data = await tagOf(service, id);
    await receiptComes({ id: 'wamid.foreign', ...FAILED, ...fields, biz_opaque_callback_data }, metadata);
    expect(await service.api.message(id)).toMatchObject({ status: 'sending' });
  });

  it.each([
    ['recipient', { recipient_id: undefined }],
    ['number', {}],
  ])('and without a %s moves it', async (what, fields) => {
    const id = await unansweredMessage();
    const biz_opaque_callback_data = await tagOf(service, id);
    const metadata = what === 'number' ? { phone_number_id: undefined } : {};
    await receiptComes(
      { id: `wamid.no-${what}`, status: 'sent', ...fields, biz_opaque_callback_data },
      metadata,
    );
    expect(await service.api.message(id)).toMatchObject({ status: 'sent' });
  });

  it.each([
    ['Brazil', '5511987654321', '551187654321'],
    ['Mexico', '525512345678', '5215512345678'],
    ['Argentina', '541112345678', '5491112345678'],
  ])('moves it when the provider writes the number of %s its own way', async (_country, phone, theirs) => {
    const id = await unansweredMessage(phone);
    await receiptComes({
      id: `wamid.${phone}`,
      status: 'sent',
      recipient_id: theirs,
      biz_opaque_callback_data: await tagOf(service, id),
    });
    expect(await service.api.message(id)).toMatchObject({ status: 'sent' });
  });

  it('under another business account does not move it, not even in a batch with one under the right account', async () => {
    const { id, wamid } = await sentMessage();
    const [own] = await service.database.run<{ id: string }>({
      name: 'test_business_account',
      text: 'SELECT id FROM business_accounts',
    });
    const receiptOf = (business_account_id: string, status: string) => ({
      business_account_id,
      message_log_id: id,
      old_tag: false,
      phone_number_id: DEMO.numbers[0].phoneNumberId,
      recipient: RECIPIENT,
      provider_message_id: wamid,
      status,
      occurred_at: service.clock.now(),
      error: null,
      details: { source: 'receipt' },
    });
    const receipts = [receiptOf(randomUUID(), 'read'), receiptOf(own!.id, 'delivered')];
    const store = service.app.get(MessageLogStore, { strict: false });
    const applied = await service.database.transaction((connection) =>
      store.applyReceipts(receipts, connection),
    );
    expect(applied).toMatchObject([{ id: null }, { id, new_status: 'delivered' }]);
    expect(await service.api.message(id)).toMatchObject({ status: 'delivered', read_at: null });
  });

  it('and an unknown id of the provider is for another copy, and is kept without effect', async () => {
    const { id } = await sentMessage();
    const biz_opaque_callback_data = await tagOf(service, id);
    await receiptComes({ id: 'wamid.other-copy', ...FAILED, biz_opaque_callback_data });
    const message = await service.api.message(id);
    expect(message['status']).toBe('sent');
    expect(message['events'].at(-1)).toMatchObject({
      event: 'failed',
      details: { provider_message_id: 'wamid.other-copy' },
    });
  });

  it('with a foreign provider id, number and recipient neither fails nor refunds it', async () => {
    const { id } = await sentMessage();
    const foreign = { id: 'wamid.foreign', ...FAILED, recipient_id: STRANGER };
    const biz_opaque_callback_data = await tagOf(service, id);
    for (const tag of [biz_opaque_callback_data, String(id)])
      await receiptComes({ ...foreign, biz_opaque_callback_data: tag }, { phone_number_id: '999' });
    const message = await service.api.message(id);
    expect(message['status']).toBe('sent');
    expect(message['events'].map(({ event }: { event: string }) => event)).not.toContain('failed');
  });
});

describe('A receipt with the tag of another installation', () => {
  it('does not move the message that has the same number here', async () => {
    const id = await unansweredMessage();
    await receiptComes({
      id: 'wamid.theirs',
      ...FAILED,
      biz_opaque_callback_data: `tms:0123456789abcdef:${id}`,
    });
    await receiptComes({ id: 'wamid.theirs', ...FAILED, biz_opaque_callback_data: String(id) });
    expect(await service.api.message(id)).toMatchObject({ status: 'sending' });
  });

  it('moves the message that has its provider id', async () => {
    const { id, wamid } = await sentMessage();
    await receiptComes({ id: wamid, status: 'delivered', biz_opaque_callback_data: 'order-42' });
    expect(await service.api.message(id)).toMatchObject({ status: 'delivered' });
  });

  it('moves the message whose provider id only a receipt with its tag has told', async () => {
    const id = await unansweredMessage();
    const biz_opaque_callback_data = await tagOf(service, id);
    await receiptComes({ id: 'wamid.told', status: 'sent', biz_opaque_callback_data });
    await receiptComes({ id: 'wamid.told', status: 'delivered' });
    expect(await service.api.message(id)).toMatchObject({ status: 'delivered' });
  });
});

describe('A receipt with the bare id, the tag of older versions,', () => {
  it('moves a message that was accepted before the upgrade', async () => {
    const id = await unansweredMessage();
    await service.database.run(
      {
        name: 'test_older',
        text: `UPDATE message_logs SET created_at = created_at - interval '1 hour' WHERE id = $1`,
      },
      [id],
    );
    await receiptComes({ id: 'wamid.old', status: 'delivered', biz_opaque_callback_data: String(id) });
    expect(await service.api.message(id)).toMatchObject({ status: 'delivered' });
  });
});
