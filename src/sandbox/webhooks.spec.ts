import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  SECRET,
  SandboxFixture,
  VERIFY_TOKEN,
  WABA,
  WebhookReceiver,
  eventually,
  template,
} from './spec-support.js';

const LONG_ID = '98765432109876543';

describe('A webhook', () => {
  const fixture = new SandboxFixture();
  const { receiver, sandbox } = fixture;
  beforeAll(() => fixture.start());
  afterAll(() => fixture.stop());

  const about = (text: string) => receiver.received.filter(({ raw }) => raw.includes(text));
  const sendAny = (value: string) =>
    fixture.call(
      'POST',
      '/control/webhooks',
      `{"wabaId":"${WABA}","field":"account_update","value":${value}}`,
    );

  const subscribe = (verify_token: string) =>
    fixture.call('POST', `/control/accounts/${WABA}/webhook`, { url: receiver.url, verify_token });

  it('is signed over its exact bytes with the app secret', async () => {
    await sendAny('{"event":"ÄNDERUNG 🎉"}');
    const [webhook] = await eventually(() => about('ÄNDERUNG').length > 0 && about('ÄNDERUNG'));
    const digest = createHmac('sha256', SECRET)
      .update(webhook?.raw ?? '')
      .digest('hex');
    expect(webhook?.headers['x-hub-signature-256']).toBe(`sha256=${digest}`);
    expect(JSON.parse(webhook?.raw ?? '')).toEqual({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: WABA,
          time: expect.any(Number),
          changes: [{ field: 'account_update', value: { event: 'ÄNDERUNG 🎉' } }],
        },
      ],
    });
  });

  it('writes template ids as numbers with every digit, and the language with a dash', async () => {
    sandbox.addTemplate(WABA, { ...template('long_id'), id: LONG_ID });
    await fixture.call('POST', `/control/templates/${LONG_ID}/status`, { status: 'PAUSED' });
    const [webhook] = await eventually(() => about('long_id').length > 0 && about('long_id'));
    expect(webhook?.raw).toContain(`"message_template_id":${LONG_ID},`);
    expect(webhook?.raw).toContain('"message_template_language":"en-US"');
  });

  it('sent by a control call keeps the digits of its ids', async () => {
    await sendAny(`{"digits":${LONG_ID}}`);
    await expect(eventually(() => about(`"digits":${LONG_ID}`).length === 1)).resolves.toBe(true);
  });

  it('is sent again with the same bytes until the answer is a 200', async () => {
    receiver.statuses = [500, 401, 204];
    await sendAny('{"event":"AGAIN"}');
    await eventually(() => about('AGAIN').length === 4);
    expect(new Set(about('AGAIN').map(({ raw }) => raw)).size).toBe(1);
  });

  it('reaches a receiver that was down, at its new address', async () => {
    const late = new WebhookReceiver();
    sandbox.setWebhook(WABA, 'http://127.0.0.1:9/closed');
    await sendAny('{"event":"LATE"}');
    await late.start();
    await fixture.call('POST', `/control/accounts/${WABA}/webhook`, { url: late.url });
    await expect(eventually(() => late.received.length === 1)).resolves.toBe(true);
    sandbox.setWebhook(WABA, receiver.url);
    await late.stop();
  });

  it('goes to a URL only after this has echoed the challenge', async () => {
    await expect(subscribe('wrong')).resolves.toMatchObject({ status: 400, body: { error: { code: 100 } } });
    await expect(subscribe(VERIFY_TOKEN)).resolves.toMatchObject({ status: 200 });
  });

  it.each(['', '[]', '{"field":7}', '{"wabaId":"1","field":"x","value":{}}'])(
    'is not sent for %s',
    async (body) => {
      const answer = await fixture.call('POST', '/control/webhooks', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
    },
  );
});

describe('Webhooks that have to queue', () => {
  it('share deliveries, with at most as many updates as allowed', async () => {
    const fixture = await new SandboxFixture({ webhookBatch: 10, receiptDelay: 0 }).start();
    for (let count = 0; count < 200; count += 1) {
      fixture.sandbox.control.sendWebhook(WABA, 'account_update', { count });
    }
    await eventually(() => fixture.receiver.values('account_update').length === 200);
    const sizes = fixture.receiver.received.map(({ changes }) => changes.length);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    await fixture.stop();
  });
});
