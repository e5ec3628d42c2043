import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';

describe('The round trip with the sandbox provider', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('lists templates, sends one, and sees it delivered and read', async () => {
    const list = await service.api.get(
      '/api/v1/templates?messaging_account_id=acc_DemoSalesNumber00001&status=APPROVED',
    );
    expect(list.body.data).toContainEqual({
      name: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      params_count: 2,
      body: 'Hello {{1}}, your order {{2}} is on its way.',
      header_type: 'none',
      header: null,
      header_sample_media_url: null,
      footer: 'Demo shop',
    });

    const sent = await service.api.send('+1 202 555 0100');
    expect(sent.status).toBe(202);
    expect(sent.body).toEqual({
      success: true,
      data: {
        status: 'queued',
        message_log_id: expect.any(Number),
        conversation_category: 'UTILITY',
        cost: expect.any(Number),
      },
    });

    const record = await eventually(async () => {
      const message = await service.api.message(sent.body.data['message_log_id']);
      expect(message['status']).toBe('read');
      return message;
    });
    expect(record['events'].map((event: { event: string }) => event.event)).toEqual(
      expect.arrayContaining(['accepted', 'sent', 'delivered', 'read']),
    );
    expect(service.sandbox.messages()).toHaveLength(1);
  });
});
