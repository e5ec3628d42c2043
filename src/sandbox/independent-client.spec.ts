import { TemplateDefinition, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { eventually, NUMBER, SandboxFixture, SECRET, TOKEN, WABA } from './spec-support.js';

const RECIPIENT = '+12025550100'; // reads its messages

/** A client that others wrote for the provider itself has to work with the sandbox too. */
describe('An independent client', () => {
  const fixture = new SandboxFixture();
  let client: WhatsAppClient;
  beforeAll(async () => {
    await fixture.start();
    client = new WhatsAppClient({ accessToken: TOKEN, baseUrl: fixture.url, graphVersion: 'v23.0' });
  });
  afterAll(() => fixture.stop());

  it('lists templates', async () => {
    const { data, paging } = await client.templates.list({ businessAccountId: WABA, limit: 10 });
    expect(data).toEqual([
      expect.objectContaining({ name: 'order_update', language: 'en_US', status: 'APPROVED' }),
    ]);
    expect(paging.cursors).toEqual({ before: expect.any(String), after: expect.any(String) });
  });

  it('creates a template, which is approved, and deletes it', async () => {
    const definition = TemplateDefinition.buildTemplateDefinition({
      name: 'order_confirmation',
      language: 'en_US',
      category: 'UTILITY',
      parameterFormat: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Thank you, {{customer_name}}! Your order {{order_number}} is on its way.',
          example: {
            bodyTextNamedParams: [
              { paramName: 'customer_name', example: 'Amal' },
              { paramName: 'order_number', example: 'A-1001' },
            ],
          },
        },
      ],
    });
    const created = await client.templates.create({ businessAccountId: WABA, ...definition });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      status: 'PENDING',
      category: 'UTILITY',
    });
    await eventually(async () => {
      const { data } = await client.templates.list({ businessAccountId: WABA, name: 'order_confirmation' });
      return data[0]?.status === 'APPROVED';
    });
    expect(
      await client.templates.delete({ businessAccountId: WABA, name: 'order_confirmation' }),
    ).toMatchObject({
      success: true,
    });
  });

  it('sends a template message, and reads its receipts, which are signed', async () => {
    const { messages, contacts } = await client.messages.sendTemplate({
      phoneNumberId: NUMBER,
      to: RECIPIENT,
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: '7' }] }],
      },
    });
    const id = messages[0]!.id;
    expect(id).toMatch(/^wamid\./);
    expect(contacts[0]).toMatchObject({ input: RECIPIENT, waId: RECIPIENT.slice(1) });
    const statuses = () =>
      fixture.receiver.received.flatMap(({ raw }) => normalizeWebhook(JSON.parse(raw)).statuses);
    await eventually(() => statuses().some((status) => status.id === id && status.status === 'read'));
    const ours = statuses().filter((status) => status.id === id);
    expect(ours.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read']);
    expect(ours[0]).toMatchObject({
      recipientId: RECIPIENT.slice(1),
      timestamp: expect.stringMatching(/^\d+$/),
      pricing: expect.objectContaining({ category: 'utility' }),
    });
    for (const { raw, headers } of fixture.receiver.received) {
      const signatureHeader = headers['x-hub-signature-256'] as string;
      expect(verifySignature({ appSecret: SECRET, rawBody: raw, signatureHeader })).toBe(true);
    }
  });

  it('is told why a send is refused', async () => {
    const template = { name: 'order_update', language: { code: 'en_US' } };
    await expect(
      client.messages.sendTemplate({ phoneNumberId: NUMBER, to: RECIPIENT, template }),
    ).rejects.toMatchObject({ code: 132000 });
  });

  it('uploads a medium, reads where it is, and deletes it', async () => {
    const file = new Blob(['a picture'], { type: 'image/png' });
    const { id } = await client.media.upload({
      phoneNumberId: NUMBER,
      type: 'image/png',
      file,
      fileName: 'a.png',
    });
    expect(await client.media.get({ mediaId: id, phoneNumberId: NUMBER })).toMatchObject({
      id,
      mimeType: 'image/png',
      url: expect.stringMatching(/^http/),
    });
    expect(await client.media.delete({ mediaId: id, phoneNumberId: NUMBER })).toMatchObject({
      success: true,
    });
  });

  it('marks a message as read, and reads and changes the business profile', async () => {
    expect(
      await client.messages.markRead({ phoneNumberId: NUMBER, messageId: 'wamid.of-somebody' }),
    ).toMatchObject({ success: true });
    await client.phoneNumbers.businessProfile.update({ phoneNumberId: NUMBER, about: 'A shop' });
    const { data } = await client.phoneNumbers.businessProfile.get({ phoneNumberId: NUMBER });
    expect(data[0]).toMatchObject({ about: 'A shop' });
  });
});
