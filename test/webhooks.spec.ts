import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { tagOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { SECRETS, startTestService, type TestService } from './support/service.js';
import { deliver, deliverText, receipt, sign } from './support/webhooks.js';

const nesting = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const LIST = `/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`;

describe('The webhook receiver', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const waba = DEMO.wabaId;

  /** Sends to a recipient for which only the receipt `sent` comes, and waits for it. */
  async function sentMessage(changes: Record<string, unknown> = {}) {
    const answer = await service.api.send('+12025550102', changes);
    const id: number = answer.body.data['message_log_id'];
    await expectStatus(id, 'sent');
    return { id, wamid: (await service.api.message(id))['provider_message_id'] as string };
  }

  async function expectStatus(id: number, status: string) {
    return eventually(async () => {
      const message = await service.api.message(id);
      expect(message['status']).toBe(status);
      return message;
    });
  }

  async function templateNamed(name: string, language = 'en_US') {
    const list = (await service.api.get(LIST)).body.data as unknown as Record<string, any>[];
    return list.find((template) => template['name'] === name && template['language'] === language);
  }

  async function inbox(): Promise<Record<string, any>[]> {
    return service.database.run({ name: 'test_inbox', text: 'SELECT * FROM webhook_inbox ORDER BY id' });
  }

  async function ledger(id: number): Promise<string[]> {
    const rows = await service.database.run<{ kind: string }>(
      { name: 'test_ledger', text: 'SELECT kind FROM ledger_entries WHERE message_log_id = $1 ORDER BY id' },
      [id],
    );
    return rows.map((row) => row.kind);
  }

  describe('with signatures and challenges', () => {
    it('answers the challenge as text when the token is right', async () => {
      const query = `hub.mode=subscribe&hub.verify_token=${encodeURIComponent(SECRETS.webhookVerifyToken)}&hub.challenge=1158201444`;
      const answer = await service.api.get(`/webhooks/provider?${query}`);
      expect(answer).toMatchObject({ status: 200, text: '1158201444' });
      expect(answer.headers.get('content-type')).toContain('text/plain');
    });

    it.each([
      '',
      '?hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
      '?hub.mode=x&hub.challenge=1',
    ])('refuses the challenge "%s" with 403', async (query) => {
      const answer = await service.api.get(`/webhooks/provider${query}`);
      expect(answer).toMatchObject({ status: 403, body: { success: false, error: { code: 'FORBIDDEN' } } });
    });

    const payload = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: DEMO.wabaId, changes: [] }],
    });

    it.each([
      ['without a signature', payload, undefined],
      ['with a signature of another secret', payload, sign(payload, 'another secret')],
      ['with a signature of other bytes', payload, sign(`${payload} `, SECRETS.sandboxAppSecret)],
      ['with a malformed signature', payload, 'sha256=zz'],
      ['for an unknown account', payload.replace(DEMO.wabaId, '1'), 'right'],
      ['for no account at all', '{"object":"whatsapp_business_account","entry":[]}', 'right'],
      ['that is an array', '[]', 'right'],
      ['that is null', 'null', 'right'],
      ['for an id that is no text', '{"entry":[{"id":{"toString":1}}]}', 'right'],
      ['for an id with a NUL', '{"entry":[{"id":"1\\u0000"}]}', 'right'],
      ['of 3 MB of nesting that nobody signed', nesting(1_500_000), 'sha256='.padEnd(71, '0')],
      ['that is not JSON, nor signed', '{"entry":', 'sha256='.padEnd(71, '0')],
      [
        'that hides its account from a look at its bytes',
        '{"entry":[{"\\u0069d":"WABA"}]}'.replace('WABA', DEMO.wabaId),
        'right',
      ],
      ["for a partner's id that is no text", '{"entry":[{"changes":[{"field":{"toString":1}}]}]}', 'right'],
    ])('refuses a delivery %s with 401, and stores nothing', async (_what, text, signature) => {
      const before = (await inbox()).length;
      const headers: Record<string, string> = {};
      if (signature)
        headers['X-Hub-Signature-256'] =
          signature === 'right' ? sign(text, SECRETS.sandboxAppSecret) : signature;
      const answer = await service.api.request('POST', '/webhooks/provider', text, headers);
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
      expect(await inbox()).toHaveLength(before);
    });

    it.each([
      ['is not JSON', 'INVALID_JSON', '{"entry":'],
      ['breaks off', 'INVALID_JSON', payload.slice(0, -2)],
      ['is nested too deeply', 'VALIDATION_FAILED', payload.replace('[]', nesting(50_000))],
    ])('answers a signed delivery that %s with 400 %s', async (_what, code, text) => {
      expect(await deliverText(service, text)).toMatchObject({ status: 400, body: { error: { code } } });
    });

    it('accepts a body of nearly 3 MB and refuses a larger one', async () => {
      const filled = (bytes: number) => payload.replace('{', `{"filler":"${'x'.repeat(bytes)}",`);
      expect((await deliverText(service, filled(2_900_000))).status).toBe(200);
      expect((await deliverText(service, filled(3_200_000))).status).toBe(413);
    });

    it('needs the signature of every account that a delivery names', async () => {
      const accounts = service.app.get(AccountsService, { strict: false });
      const other = await accounts.createTenant('Another tenant');
      await accounts.addBusinessAccount({
        tenantId: other.id,
        wabaId: '200200200200200',
        appId: null,
        accessToken: 'token',
        appSecret: 'another app secret',
      });
      const answer = await deliver(
        service,
        [waba, 'account_update', {}],
        ['200200200200200', 'account_update', {}],
      );
      expect(answer.status).toBe(401);
      // Its bytes seem to name the account that has signed; a parser finds the other one.
      const twoFaced = `{"entry":[{"id":"200200200200200","\\u0069d":"${waba}","changes":[]}]}`;
      expect((await deliverText(service, twoFaced, 'another app secret')).status).toBe(401);
    });

    it('keeps unknown fields, and answers 200', async () => {
      const answer = await deliver(service, [
        waba,
        'a_field_of_the_future',
        { anything: [1, { deep: true }] },
      ]);
      expect(answer.status).toBe(200);
      await eventually(async () => {
        const row = (await inbox()).find((each) => each['payload'].includes('a_field_of_the_future'));
        expect(row).toMatchObject({ parked_at: null, processed_at: expect.any(Date) });
      });
    });
  });

  describe('with receipts', () => {
    it('moves a message forward only, whatever their order and however often they come', async () => {
      const { id, wamid } = await sentMessage();
      const at = (seconds: number) => ({ timestamp: String(1_790_000_000 + seconds) });
      await deliver(service, [waba, 'messages', receipt({ id: wamid, status: 'read', ...at(3) })]);
      const read = await expectStatus(id, 'read');
      expect(read).toMatchObject({
        read_at: '2026-09-21T14:13:23.000Z',
        delivered_at: '2026-09-21T14:13:23.000Z',
      });
      for (let repeat = 0; repeat < 3; repeat += 1) {
        await deliver(service, [waba, 'messages', receipt({ id: wamid, status: 'delivered', ...at(2) })]);
      }
      await eventually(async () => {
        const events = (await service.api.message(id))['events'].map((event: any) => event.event);
        expect(events.filter((event: string) => event === 'delivered')).toHaveLength(1);
      });
      expect((await service.api.message(id))['status']).toBe('read');
    });

    it('fails and refunds a message, and charges again when it was delivered after all', async () => {
      const { id, wamid } = await sentMessage();
      const errors = [
        { code: 131026, title: 'Message undeliverable', error_data: { details: 'Not on WhatsApp' } },
      ];
      await deliver(service, [waba, 'messages', receipt({ id: wamid, status: 'failed', errors })]);
      const failed = await expectStatus(id, 'failed');
      expect(failed['error']).toEqual({
        code: 131026,
        title: 'Message undeliverable',
        details: 'Not on WhatsApp',
      });
      expect(await ledger(id)).toEqual(['charge', 'refund']);
      await deliver(service, [waba, 'messages', receipt({ id: wamid, status: 'delivered' })]);
      expect(await expectStatus(id, 'delivered')).toMatchObject({ error: null, failed_at: null });
      expect(await ledger(id)).toEqual(['charge', 'refund', 'charge']);
    });

    it('leaves a delivered message alone when a failure comes late', async () => {
      const { id, wamid } = await sentMessage();
      await deliver(service, [waba, 'messages', receipt({ id: wamid, status: 'delivered' })]);
      await expectStatus(id, 'delivered');
      await deliver(service, [
        waba,
        'messages',
        receipt({ id: wamid, status: 'failed', errors: [{ code: 1 }] }),
      ]);
      await eventually(async () => {
        const message = await service.api.message(id);
        expect(message['events'].map((event: any) => event.event)).toContain('failed');
        expect(message).toMatchObject({ status: 'delivered', error: null });
      });
      expect(await ledger(id)).toEqual(['charge']);
    });

    it('makes exactly one retry, 26 hours later, for 20 repeated receipts of 131049 at once', async () => {
      const { id, wamid } = await sentMessage({ auto_retry_on_frequency_cap: true });
      const update = receipt({
        id: wamid,
        status: 'failed',
        errors: [{ code: 131049, title: 'Cap reached' }],
      });
      await Promise.all(Array.from({ length: 20 }, () => deliver(service, [waba, 'messages', update])));
      const failed = await expectStatus(id, 'failed');
      await eventually(async () =>
        expect((await inbox()).every((row) => row['processed_at'] ?? row['parked_at'])).toBe(true),
      );
      const messages = (await service.api.get('/api/v1/messages')).body.data as unknown as Record<
        string,
        any
      >[];
      const retries = messages.filter((message) => message['retry_of'] === id);
      expect(retries).toEqual([
        expect.objectContaining({
          status: 'scheduled',
          retry_count: 1,
          auto_retry_on_frequency_cap: false,
          components: failed['components'],
          scheduled_at: new Date(Date.parse(failed['failed_at']) + 26 * 3_600_000).toISOString(),
        }),
      ]);
      expect(await ledger(retries[0]?.['message_log_id'])).toEqual(['charge']);
    });

    it('does not let one tenant move the messages of another', async () => {
      const { id } = await sentMessage();
      const update = receipt({
        id: 'wamid.forged',
        status: 'read',
        biz_opaque_callback_data: await tagOf(service, id),
      });
      const text = JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [{ id: '200200200200200', changes: [{ field: 'messages', value: update }] }],
      });
      expect((await deliverText(service, text, 'another app secret')).status).toBe(200);
      await eventually(async () => {
        const row = (await inbox()).find((each) => each['payload'].includes('wamid.forged'));
        expect(row?.['tries']).toBeGreaterThan(0);
      });
      expect((await service.api.message(id))['status']).toBe('sent');
    });

    it.each([
      ['that has no id of ours', {}],
      ['with a tag that is not of our form', { biz_opaque_callback_data: 'order-42' }],
      ['with an id that no message has', { biz_opaque_callback_data: '999999999999' }],
      ['of another installation', { biz_opaque_callback_data: 'tms:0000000000000000:1' }],
    ])('applies a receipt %s once, without a message, and counts it', async (what, tag) => {
      const unknown = async () =>
        Number(
          /tms_receipts_total\{status="delivered",effect="unknown_message"\} (\d+)/.exec(
            (await service.api.get('/metrics')).text,
          )?.[1] ?? 0,
        );
      const before = await unknown();
      const id = `wamid.of-another-system ${what}`;
      await deliver(service, [waba, 'messages', receipt({ id, status: 'delivered', ...tag })]);
      await eventually(async () => {
        const row = (await inbox()).find((each) => each['payload'].includes(id));
        expect(row).toMatchObject({
          processed_at: expect.any(Date),
          tries: 1,
          error: '1 receipt(s) fit no message of the account',
        });
      });
      expect((await unknown()) - before).toBe(1);
    });

    it('keeps of a text what PostgreSQL can store, and applies this receipt and the others', async () => {
      const [first, second] = [await sentMessage(), await sentMessage()];
      const errors = [
        {
          code: 131026,
          title: 'Not\u0000 delivered',
          error_data: { details: 'Half of \ud83d a pair \ud83d\ude00' },
        },
      ];
      const statuses = [
        { id: first.wamid, status: 'failed', errors, pricing: { 'a\u0000name': ['\udc00'] } },
        { id: first.wamid, status: 'sent\u0000' },
        {
          id: second.wamid,
          status: 'delivered',
          errors: 'none',
          pricing: 'free',
          recipient_id: {},
          conversation: 7,
        },
      ].map((one) => receipt(one).statuses[0]);
      await deliver(service, [waba, 'messages', { ...receipt({}), statuses }]);
      expect(await expectStatus(second.id, 'delivered')).toMatchObject({ error: null });
      const failed = await service.api.message(first.id);
      expect(failed).toMatchObject({
        status: 'failed',
        error: { code: 131026, title: 'Not\ufffd delivered', details: 'Half of \ufffd a pair \u{1f600}' },
      });
      const events = failed['events'].map(({ event }: { event: string }) => event);
      expect(events).toEqual(expect.arrayContaining(['failed', 'sent\ufffd']));
      expect((await inbox()).filter((row) => row['parked_at'])).toEqual([]);
    });
  });

  describe('with template updates', () => {
    const template = {
      message_template_name: 'hello_world',
      message_template_language: 'en-US',
      message_template_id: 1,
    };

    it.each([
      ['PAUSED', 'PAUSED'],
      ['FLAGGED', 'PAUSED'],
      ['REINSTATED', 'APPROVED'],
      ['DISABLED', 'DISABLED'],
      ['APPROVED', 'APPROVED'],
      ['REJECTED', 'REJECTED'],
      ['PENDING', 'PENDING'],
    ])('reads %s as %s, by the name and the other spelling of the language', async (event, status) => {
      await deliver(service, [
        waba,
        'message_template_status_update',
        { ...template, event, reason: 'NONE' },
      ]);
      await eventually(async () => {
        expect(
          await service.database.run({
            name: 'test_template',
            text: `SELECT provider_status, status FROM templates WHERE name = 'hello_world'`,
          }),
        ).toEqual([{ provider_status: event, status }]);
      });
      expect(await templateNamed('hello_world')).toMatchObject({ status });
    });

    it('finds a template by an id of 17 digits, and keeps every digit', async () => {
      const id = '12345678901234567';
      await service.database.run(
        { name: 'test_set_id', text: `UPDATE templates SET provider_template_id = $1 WHERE name = 'coupon'` },
        [id],
      );
      const value = `{"event":"PAUSED","message_template_id":${id},"message_template_name":"x","message_template_language":"x"}`;
      const change = `{"field":"message_template_status_update","value":${value}}`;
      await deliverText(
        service,
        `{"object":"whatsapp_business_account","entry":[{"id":"${waba}","changes":[${change}]}]}`,
      );
      await eventually(async () => expect(await templateNamed('coupon')).toMatchObject({ status: 'PAUSED' }));
    });

    it('no longer lists a deleted template', async () => {
      const update = {
        event: 'DELETED',
        message_template_name: 'winter_offer',
        message_template_language: 'en_US',
      };
      await deliver(service, [waba, 'message_template_status_update', update]);
      await eventually(async () => expect(await templateNamed('winter_offer')).toBeUndefined());
    });

    it('changes the category when the change happens, not when it is announced', async () => {
      const name = { message_template_name: 'parcel_tracking', message_template_language: 'en_US' };
      const warning = { ...name, new_category: 'UTILITY', correct_category: 'MARKETING' };
      await deliver(service, [waba, 'template_category_update', warning]);
      await deliver(service, [
        waba,
        'template_category_update',
        { ...name, previous_category: 'UTILITY', new_category: 'AUTHENTICATION' },
      ]);
      await eventually(async () =>
        expect(await templateNamed('parcel_tracking')).toMatchObject({ category: 'AUTHENTICATION' }),
      );
    });

    it('syncs when a webhook names a template that it does not know', async () => {
      service.sandbox.addTemplate(waba, {
        name: 'brand_new',
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        components: [{ type: 'BODY', text: 'New.' }],
      });
      const update = {
        event: 'APPROVED',
        message_template_name: 'brand_new',
        message_template_language: 'en_US',
      };
      await deliver(service, [waba, 'message_template_status_update', update]);
      await eventually(async () =>
        expect(await templateNamed('brand_new')).toMatchObject({ status: 'APPROVED' }),
      );
    });

    it('keeps the declaration about international codes, which an older one does not undo', async () => {
      const declared = (start_time: unknown) => ({
        event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
        auth_international_rate_eligibility: { start_time, exception_countries: [] },
      });
      const starts = async () => {
        const [row] = await service.database.run<{ starts: object | null }>(
          {
            name: 'test_starts',
            text: 'SELECT auth_international AS starts FROM business_accounts WHERE waba_id = $1',
          },
          [waba],
        );
        return row?.starts;
      };
      const deliverAt = (time: number, value: object) =>
        deliverText(
          service,
          JSON.stringify({ entry: [{ id: waba, time, changes: [{ field: 'account_update', value }] }] }),
        );
      expect(await starts()).toBeNull();
      await deliverAt(1_790_000_000, declared(1_795_000_000));
      await eventually(async () => expect(await starts()).toEqual({ '*': '2026-11-18T11:06:40.000Z' }));
      await deliverAt(1_780_000_000, declared(1_785_000_000));
      await deliverAt(1_790_000_001, declared('soon'));
      await eventually(async () =>
        expect((await inbox()).every((row) => row['processed_at'] ?? row['parked_at'])).toBe(true),
      );
      expect(await starts()).toEqual({ '*': '2026-11-18T11:06:40.000Z' });
    });

    it('keeps the quality of templates', async () => {
      const quality = {
        previous_quality_score: 'GREEN',
        new_quality_score: 'YELLOW',
        message_template_name: 'order_update',
        message_template_language: 'ar',
      };
      await deliver(service, [waba, 'message_template_quality_update', quality]);
      await eventually(async () => {
        const [row] = await service.database.run({
          name: 'test_quality',
          text: `SELECT quality_score FROM templates WHERE name = 'order_update' AND language = 'ar'`,
        });
        expect(row).toEqual({ quality_score: 'YELLOW' });
      });
    });
  });
});
