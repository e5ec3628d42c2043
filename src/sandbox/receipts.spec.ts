import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxFixture, eventually } from './spec-support.js';

const TO = '+14155550199';

describe('The receipts of a message', () => {
  const fixture = new SandboxFixture({ limits: false });
  beforeAll(() => fixture.start());
  afterAll(() => fixture.stop());

  /** Finds a receipt by its status, as receipts may arrive in any order. */
  const receiptOf = (message: string, status: string) =>
    eventually(() => fixture.receiver.receiptsOf(message).find((receipt) => receipt['status'] === status));

  it('carry price and conversation, except for the last one', async () => {
    await fixture.send(TO, 'priced');
    const [sent, delivered, read] = [
      await receiptOf('priced', 'sent'),
      await receiptOf('priced', 'delivered'),
      await receiptOf('priced', 'read'),
    ];
    expect(delivered).toMatchObject({
      conversation: { id: expect.any(String), origin: { type: 'utility' } },
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    });
    expect(delivered['conversation']).not.toHaveProperty('expiration_timestamp');
    expect(Object.keys(read)).not.toEqual(expect.arrayContaining(['pricing']));
    expect(sent).toEqual({
      id: expect.stringMatching(/^wamid\./),
      status: 'sent',
      timestamp: expect.stringMatching(/^\d{10}$/),
      recipient_id: '14155550199',
      biz_opaque_callback_data: 'priced',
      conversation: {
        id: expect.any(String),
        expiration_timestamp: expect.stringMatching(/^\d{10}$/),
        origin: { type: 'utility' },
      },
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    });
  });

  it('carry the price in `read` when no `delivered` came before', async () => {
    await fixture.send('+12025550103', 'read at once');
    const read = await receiptOf('read at once', 'read');
    expect(read).toMatchObject({ pricing: { category: 'utility' } });
  });

  it('of a failure say where the error is explained', async () => {
    await fixture.send('+12025550111', 'failed');
    const failed = await receiptOf('failed', 'failed');
    expect(failed['errors']).toEqual([
      {
        code: 131026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: 'Message Undeliverable.' },
        href: expect.stringContaining('error-codes'),
      },
    ]);
  });
});
