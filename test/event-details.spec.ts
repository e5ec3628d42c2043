import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';

const RECIPIENT = '12025550102';
const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };

const service = useTestService();

/** A message that has its answer. */
async function sentMessage(): Promise<{ id: number; wamid: string }> {
  const id: number = (await service().api.send(RECIPIENT)).body.data['message_log_id'];
  await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'sent' }));
  return { id, wamid: (await service().api.message(id))['provider_message_id'] };
}

/** The events of a message, once a receipt with these fields has been applied. */
async function afterReceipt(id: number, fields: Record<string, unknown>) {
  const value = receipt({ recipient_id: RECIPIENT, status: 'delivered', ...fields });
  expect((await deliver(service(), [DEMO.wabaId, 'messages', value])).status).toBe(200);
  return eventually(async () => {
    const { events } = await service().api.message(id);
    const found = events.find((each: { event: string }) => each.event === 'delivered');
    expect(found).toBeDefined();
    return events as { event: string; details: Record<string, unknown> }[];
  });
}

describe('The details of an event are shown as they came', () => {
  it.each([
    ['the usual pricing', PRICING],
    ['a pricing that is not billable', { ...PRICING, billable: false }],
    ['a pricing with more in it', { ...PRICING, more: 1 }],
    ['a pricing with less in it', { billable: true, category: 'utility' }],
    ['a pricing with a blank in it', { ...PRICING, type: 'free of charge' }],
    ['a pricing with an empty text', { ...PRICING, type: '' }],
    ['a pricing of another type', { ...PRICING, billable: 'true' }],
    ['a pricing that is a text', 'true PMP regular utility'],
    ['no pricing', undefined],
  ])('of a receipt with %s', async (_what, pricing) => {
    const { id, wamid } = await sentMessage();
    const events = await afterReceipt(id, { id: wamid, pricing });
    const delivered = events.find(({ event }) => event === 'delivered');
    const details = { source: 'receipt', recipient_id: RECIPIENT, provider_message_id: wamid };
    expect(delivered?.details).toEqual(pricing === undefined ? details : { ...details, pricing });
  });

  it('of an answer', async () => {
    const { id, wamid } = await sentMessage();
    const { events } = await service().api.message(id);
    const answer = events.find(
      (each: { details: Record<string, unknown> | null }) => each.details?.['source'] === 'answer',
    );
    expect(answer).toMatchObject({
      event: 'sent',
      details: { source: 'answer', attempt: 1, messageId: wamid, waId: RECIPIENT, messageStatus: 'accepted' },
    });
  });
});
