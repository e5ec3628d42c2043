import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemplateStore } from '../../src/templates/template.store.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';
import { deliver, receipt } from '../support/webhooks.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A recipient of the sandbox for which no receipt comes after `sent`. */
const EXPIRED = '+12025550104';

describe('The delivery verdict', () => {
  let service: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await startTestService();
    const templates = [
      template('brief', 'Hello!', { message_send_ttl_seconds: 60 }),
      template('moved', 'Hello!', { message_send_ttl_seconds: 60 }),
      template('lasting', 'Hello!'),
    ];
    tenant = await addTenant(service, { templates });
  });
  afterAll(() => service.stop());

  const verdictOf = async (id: number) => (await tenant.api.message(id))['delivery_verdict'];

  /** Sends a message of the template, for which no receipt comes after `sent`. @returns its id */
  async function send(name: string): Promise<number> {
    const data = { name, params: [] };
    const answer = await tenant.api.post('/api/v1/messages/send', {
      phone: EXPIRED,
      message_type: 'template',
      data,
    });
    const id = answer.body.data['message_log_id'] as number;
    await eventually(async () => {
      expect(await tenant.api.message(id)).toMatchObject({ status: 'sent', delivery_verdict: null });
    });
    return id;
  }

  it('is presumed_dropped after the time to live of the template, until a receipt comes', async () => {
    const [brief, lasting] = [await send('brief'), await send('lasting')];
    service.clock.forward(4 * MINUTE);
    expect(await verdictOf(brief)).toBe('presumed_dropped');
    expect(await verdictOf(lasting)).toBeNull();

    const list = await tenant.api.get('/api/v1/messages?status=sent');
    expect(list.body.data).toEqual([
      expect.objectContaining({ message_log_id: lasting, delivery_verdict: null }),
      expect.objectContaining({ message_log_id: brief, delivery_verdict: 'presumed_dropped' }),
    ]);

    const { provider_message_id: wamid } = await tenant.api.message(brief);
    await deliver(service, [tenant.wabaId, 'messages', receipt({ id: wamid, status: 'delivered' })]);
    await eventually(async () => {
      expect(await tenant.api.message(brief)).toMatchObject({ status: 'delivered', delivery_verdict: null });
    });
  });

  it('uses the default time to live when the template has changed its category since', async () => {
    const id = await send('moved');
    service.clock.forward(4 * MINUTE);
    expect(await verdictOf(id)).toBe('presumed_dropped');
    const store = service.app.get(TemplateStore, { strict: false });
    const { id: templateId } = (await store.find(tenant.businessAccountId, {
      providerTemplateId: '',
      name: 'moved',
      language: 'en_US',
    }))!;
    await store.setCategory(tenant.businessAccountId, templateId, 'MARKETING');
    expect(await verdictOf(id)).toBeNull();
    service.clock.forward(31 * DAY);
    expect(await verdictOf(id)).toBe('presumed_dropped');
  });
});
