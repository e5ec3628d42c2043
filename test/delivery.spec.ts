import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { PairRateLimiter } from '../src/delivery/rates/pair-rate-limiter.js';
import { DeliveryService } from '../src/delivery/delivery.service.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { exampleNumber, RECIPIENTS } from '../src/sandbox/recipients.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { directUrlOf } from './support/infrastructure.js';
import { UNBALANCED } from './support/ledger.js';
import { startTestService, type TestService } from './support/service.js';
import { deliver } from './support/webhooks.js';

/** Puts an empty delivery into the inbox, to be applied in a minute. */
const DELIVERY_IN_A_MINUTE = `
  INSERT INTO webhook_inbox (payload, received_at, next_try_at) VALUES ('{}', now(), now() + interval '1 minute')`;

const UNKNOWN_OUTCOME = expect.objectContaining({ event: 'outcome_unknown' });

const LOGIN_CODE = {
  name: 'login_code',
  components: [
    { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '123456' }] },
  ],
};

describe('Delivery', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(
      { PROVIDER_TIMEOUT: 1_000, UNKNOWN_OUTCOME_WINDOW: 1, RETRY_BASE: 20, RETRY_CAP: 200 },
      { slowDelay: 300 },
    );
    service.sandbox.addTemplate(DEMO.wabaId, {
      name: 'product_news',
      language: 'en_US',
      category: 'MARKETING',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'News for {{1}} today.' }],
    });
    const account = await service.app.get(AccountsService, { strict: false }).secretsOfWaba(DEMO.wabaId);
    await service.app.get(TemplateSyncService, { strict: false }).sync(account!.id);
  });
  afterAll(() => service.stop());

  async function send(name: string, changes: Record<string, unknown> = {}): Promise<number> {
    const answer = await service.api.send(numberOf(name), changes);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const numberOf = (name: string) => {
    const recipient = RECIPIENTS.find((each) => each.name === name);
    if (!recipient) throw new Error(`The sandbox has no recipient ${name}`);
    return exampleNumber(recipient);
  };

  const expectRecord = (id: number, expected: Record<string, unknown>) =>
    eventually(async () => {
      const message = await service.api.message(id);
      expect(message).toMatchObject(expected);
      return message;
    });

  const copiesTaken = (id: number) => copiesOf(service, id).length;

  it.each([
    ['read', { status: 'read', attempts: 1 }],
    ['delivered_only', { status: 'delivered', attempts: 1 }],
    ['sent_only', { status: 'sent', attempts: 1 }],
    ['read_without_delivered', { status: 'read', delivered_at: expect.any(String) }],
    ['undeliverable', { status: 'failed', attempts: 1, error: { code: 131026 } }],
    ['undeliverable_later', { status: 'failed', attempts: 1, error: { code: 131026 } }],
    ['marketing_cap', { status: 'failed', attempts: 1, error: { code: 131049 } }],
    ['marketing_cap_at_once', { status: 'failed', attempts: 1, error: { code: 131049 } }],
    ['number_rate', { status: 'read', attempts: 3 }],
    ['pair_rate', { status: 'read', attempts: 2 }],
    ['transient', { status: 'read', attempts: 3 }],
    ['bare_503', { status: 'read', attempts: 2 }],
    ['slow', { status: 'read', attempts: 1 }],
    ['held', { status: 'delivered', attempts: 1 }],
    ['disorder', { status: 'read', attempts: 1 }],
    ['delivered_after_failed', { status: 'delivered', error: null }],
  ])('to the recipient "%s" ends as the provider says', async (name, expected) => {
    await expectRecord(await send(name), expected);
  });

  describe('without an answer', () => {
    it.each(['taken_no_answer', 'taken_connection_lost'])(
      'is decided by its receipts, and not sent again ("%s")',
      async (name) => {
        const id = await send(name);
        await expectRecord(id, { status: 'read', attempts: 1 });
        expect(copiesTaken(id)).toBe(1);
      },
    );

    it.each(['not_taken_no_answer', 'not_taken_connection_lost', 'taken_connection_lost_no_receipt'])(
      'is sent again when no receipt comes within the window ("%s")',
      async (name) => {
        const id = await send(name);
        const message = await expectRecord(id, { status: 'read', attempts: 2 });
        const events = message['events'].map((event: { event: string }) => event.event);
        expect(events).toEqual(expect.arrayContaining(['outcome_unknown', 'sent_again']));
        expect(copiesTaken(id)).toBe(name === 'taken_connection_lost_no_receipt' ? 2 : 1);
      },
    );

    it('is not sent again while a delivery waits that may have its receipt', async () => {
      const slowWorker = new Client({ connectionString: directUrlOf(service.config) });
      await slowWorker.connect();
      try {
        await slowWorker.query(DELIVERY_IN_A_MINUTE);
        await slowWorker.query('BEGIN');
        await slowWorker.query('SELECT FROM webhook_inbox WHERE processed_at IS NULL FOR UPDATE');
        service.clock.forward(60_000);
        const id = await send('not_taken_connection_lost');
        await expectRecord(id, { events: expect.arrayContaining([UNKNOWN_OUTCOME]) });
        service.clock.forward(10_000);
        await service.app.get(DeliveryService, { strict: false }).resolveUnknown();
        expect(await service.api.message(id)).toMatchObject({ status: 'sending', attempts: 1 });
        await slowWorker.query('COMMIT');
        await expectRecord(id, { status: 'read', attempts: 2 });
      } finally {
        await slowWorker.end();
      }
    });

    it('is not sent again before webhooks could arrive for a whole window', async () => {
      const heardSince = (seconds: number) =>
        service.database.run({
          name: `heard_since_${seconds}`,
          text: `UPDATE webhook_hearing SET heard_since = now() + interval '${seconds} seconds'`,
        });
      await heardSince(3_600); // as if all API processes had been gone until just now
      const id = await send('not_taken_connection_lost');
      await expectRecord(id, { events: expect.arrayContaining([UNKNOWN_OUTCOME]) });
      service.clock.forward(10_000);
      await service.app.get(DeliveryService, { strict: false }).resolveUnknown();
      expect(await service.api.message(id)).toMatchObject({ status: 'sending', attempts: 1 });
      await heardSince(-60);
      await expectRecord(id, { status: 'read', attempts: 2 });
    });
  });

  describe('on hold', () => {
    const holds = () => service.app.get(HoldsService, { strict: false });
    const numberId = async () => {
      const accounts = service.app.get(AccountsService, { strict: false });
      return (await accounts.findByApiId(DEMO.numbers[0].apiId))?.id ?? 0;
    };

    it('waits after a receipt that says so, until the receipt of a probe', async () => {
      await expectRecord(await send('held_then_failed'), { status: 'failed', error: { code: 132015 } });
      expect(await holds().list()).toMatchObject([{ scope: 'template', error: { code: 132015 } }]);
      const waiting = await send('read');
      await expectRecord(waiting, { status: 'queued', attempts: 0 });
      service.clock.forward(60_000);
      await expectRecord(waiting, { status: 'read' });
      await eventually(async () => expect(await holds().list()).toEqual([]));
    });

    it('waits until a probe, one message a minute, goes through', async () => {
      const first = await send('token_error');
      await eventually(async () => expect(await holds().list()).toHaveLength(1));
      const waiting = await Promise.all([send('read'), send('read')]);
      await expectRecord(first, { status: 'queued', attempts: 1 });
      service.clock.forward(60_000);
      for (const id of [first, ...waiting]) await expectRecord(id, { status: 'read' });
      expect(await holds().list()).toEqual([]);
    });

    const sendTemplate = async (recipient: string, name: string) => {
      const data = name === 'login_code' ? LOGIN_CODE : { name, params: ['Amal'] };
      const answer = await service.api.send(numberOf(recipient), { data });
      expect(answer.status).toBe(202);
      return answer.body.data['message_log_id'] as number;
    };

    it('keeps back only the messages of a paused template, and probes with one a minute', async () => {
      const first = await sendTemplate('template_paused', 'product_news');
      await eventually(async () => {
        expect(await holds().list()).toEqual([expect.objectContaining({ scope: 'template' })]);
      });
      const waiting = [
        await sendTemplate('read', 'product_news'),
        await sendTemplate('read', 'product_news'),
      ];
      await expectRecord(await send('read'), { status: 'read' });
      for (const id of waiting) await expectRecord(id, { status: 'queued', attempts: 0 });
      service.clock.forward(60_000);
      for (const id of [first, ...waiting]) await expectRecord(id, { status: 'read' });
      expect(await holds().list()).toEqual([]);
    });

    it.each([
      ['template', 'template_paused'],
      ['business_account', 'token_error'],
    ])('lets another message probe when the first has to wait for its turn (%s)', async (scope, held) => {
      const first = await sendTemplate(held, 'product_news');
      await eventually(async () => expect(await holds().list()).toMatchObject([{ scope }]));
      const slow = await sendTemplate('delivered_only', 'product_news');
      const next = await sendTemplate('read', 'product_news');
      for (const id of [slow, next]) await expectRecord(id, { status: 'queued', attempts: 0 });
      const pairs = service.app.get(PairRateLimiter, { strict: false });
      await pairs.slow(await numberId(), numberOf('delivered_only').slice(1), 3_000);
      service.clock.forward(60_000);
      for (const id of [first, next]) await expectRecord(id, { status: 'read' });
      await expectRecord(slow, { status: 'delivered', attempts: 1 });
    });

    it('releases the messages of a template when its status changes', async () => {
      const first = await sendTemplate('template_paused', 'product_news');
      await eventually(async () => expect(await holds().list()).toHaveLength(1));
      const second = await sendTemplate('read', 'product_news');
      await expectRecord(second, { status: 'queued', attempts: 0 });
      service.sandbox.control.setTemplateStatus('product_news', 'PAUSED');
      service.sandbox.control.setTemplateStatus('product_news', 'APPROVED');
      for (const id of [first, second]) await expectRecord(id, { status: 'read' });
    });

    it('releases the messages of a template that is approved again, although its pause was not reported', async () => {
      const first = await sendTemplate('template_paused', 'product_news');
      await eventually(async () => expect(await holds().list()).toHaveLength(1));
      const approved = {
        event: 'APPROVED',
        message_template_name: 'product_news',
        message_template_language: 'en_US',
      };
      await deliver(service, [DEMO.wabaId, 'message_template_status_update', approved]);
      await expectRecord(first, { status: 'read' });
    });

    it('sends nothing on permits that were given before the hold', async () => {
      service.sandbox.control.revokeToken(DEMO.wabaId);
      await send('read');
      const [hold] = await eventually(async () => {
        const open = await holds().list();
        expect(open).toHaveLength(1);
        return open;
      });
      const later = await send('read');
      const delivery = service.app.get(DeliveryService, { strict: false });
      await delivery.use({ version: 1, messagingAccountId: await numberId(), permits: 10 });
      await expectRecord(later, { status: 'queued', attempts: 0 });
      service.sandbox.control.restoreToken(DEMO.wabaId);
      await holds().lift(hold?.id ?? 0, 'test');
      await expectRecord(later, { status: 'read' });
    });

    it('fails a code that waits longer than it is valid, and refunds it', async () => {
      service.sandbox.control.revokeToken(DEMO.wabaId);
      const update = await send('read');
      await eventually(async () => expect(await holds().list()).toHaveLength(1));
      await send('read'); // the next one that probes the hold
      const code = await sendTemplate('read', 'login_code');
      await expectRecord(code, { status: 'queued' });
      service.clock.forward(10 * 60_000 + 1_000);
      await expectRecord(code, {
        status: 'failed',
        error: { code: 'EXPIRED', title: 'Expired before it could be sent' },
      });
      service.sandbox.control.restoreToken(DEMO.wabaId);
      service.clock.forward(60_000);
      await expectRecord(update, { status: 'read' });
    });

    it('keeps back all messages of a business account whose token is refused, until the hold is lifted', async () => {
      service.sandbox.control.revokeToken(DEMO.wabaId);
      const ids = await Promise.all([send('read'), send('read'), send('read')]);
      const [hold] = await eventually(async () => {
        const open = await holds().list();
        expect(open).toEqual([expect.objectContaining({ scope: 'business_account', cause: 'auth' })]);
        return open;
      });
      const later = await send('read');
      await expectRecord(later, { status: 'queued', attempts: 0 });
      expect((await service.api.get('/metrics')).text).toContain(
        'tms_holds{scope="business_account",cause="auth"} 1',
      );

      service.sandbox.control.restoreToken(DEMO.wabaId);
      expect(await holds().lift(hold?.id ?? 0, 'test')).toBe(true);
      for (const id of [...ids, later]) await expectRecord(id, { status: 'read' });
    });
  });

  it('syncs the templates when the provider refuses one that looked sendable', async () => {
    await service.database.run({
      name: 'test_stale_template',
      text: `UPDATE templates SET status = 'APPROVED' WHERE name = 'daily_offer'`,
    });
    const data = { name: 'daily_offer', params: ['Amal'] };
    const answer = await service.api.send(numberOf('read'), { data });
    await expectRecord(answer.body.data['message_log_id'], { status: 'failed', error: { code: 132016 } });
    await eventually(async () => {
      const again = await service.api.send(numberOf('read'), { data });
      expect(again.body.error).toMatchObject({
        code: 'TEMPLATE_NOT_FOUND',
        details: [{ status: 'DISABLED' }],
      });
    });
  });

  it('keeps one charge for each message and one refund for each that failed', async () => {
    expect(await service.database.run({ name: 'test_balance', text: UNBALANCED })).toEqual([]);
  });
});
