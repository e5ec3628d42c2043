import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { UNBALANCED } from './support/ledger.js';
import { useTestService } from './support/test-service.js';
import { copiesOf } from './support/copies.js';
import './support/matchers.js';

const HOUR = 3_600_000;

const service = useTestService();

let exchange = 400;
const newPhone = () => `1412${(exchange += 1)}0100`;

/** A message for an hour later. */
async function accept(phone: string, data?: object): Promise<number> {
  const scheduled_at = new Date(service().clock.now().getTime() + HOUR).toISOString();
  const answer = await service().api.send(phone, { scheduled_at, timezone: 'UTC', ...(data && { data }) });
  expect(answer.body.error).toBeUndefined();
  return answer.body.data['message_log_id'];
}

const OFFER = {
  name: 'spring_offer',
  params: ['Amal', '20 %'],
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example/a.jpg' } }] },
  ],
};

const optOut = (phone: string, scope: string) =>
  service().api.request('PUT', `/api/v1/opt-outs/${phone}`, JSON.stringify({ scope }), {
    'Content-Type': 'application/json',
  });

const expectStatus = (id: number, status: string) =>
  eventually(async () => {
    const message = await service().api.message(id);
    expect(message['status']).toBe(status);
    return message;
  });

describe('A message whose recipient opts out before it leaves', () => {
  it('fails with that, is refunded, and never reaches the provider', async () => {
    const [offer, notice] = [newPhone(), newPhone()];
    const [marketing, utility] = [await accept(offer, OFFER), await accept(notice)];
    const stillSent = await accept(offer);
    await optOut(offer, 'marketing');
    await optOut(notice, 'all');
    service().clock.forward(HOUR);
    for (const [id, words] of [
      [marketing, 'marketing'],
      [utility, 'all messages'],
    ] as const) {
      const failed = await expectStatus(id, 'failed');
      expect(failed).toMatchObject({
        attempts: 0,
        error: {
          code: 'RECIPIENT_OPTED_OUT',
          title: 'The recipient has opted out',
          details: `The recipient has opted out of ${words}.`,
        },
      });
      expect(copiesOf(service(), id)).toEqual([]);
    }
    await expectStatus(stillSent, 'read');
    expect(await service().database.run({ name: '', text: UNBALANCED })).toEqual([]);
  });

  it('and who opts in again in time gets it', async () => {
    const phone = newPhone();
    const id = await accept(phone);
    await optOut(phone, 'all');
    await service().api.request('DELETE', `/api/v1/opt-outs/${phone}`);
    service().clock.forward(HOUR);
    await expectStatus(id, 'read');
  });

  it('fails also where the provider has made its template marketing since', async () => {
    const phone = newPhone();
    const id = await accept(phone);
    await optOut(phone, 'marketing');
    service().sandbox.control.setCategory('order_update', 'MARKETING', { language: 'en_US' });
    await eventually(async () =>
      expect(await service().api.send(newPhone())).toMatchObject({
        body: { data: { conversation_category: 'MARKETING' } },
      }),
    );
    service().clock.forward(HOUR);
    expect((await expectStatus(id, 'failed'))['error']).toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
  });
});
