import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { OptOutKeywordsService } from '../src/recipients/opt-out-keywords.service.js';
import type { OptOutSource } from '../src/recipients/domain/opt-out.js';
import { OptOutsService } from '../src/recipients/opt-outs.service.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';
import { deliver, receipt } from './support/webhooks.js';
import { DEMO } from '../src/embedded/demo.js';

const service = useTestService();
const told = new ToldUpdates(service);
let optOuts: OptOutsService;
beforeAll(() => {
  optOuts = service().app.get(OptOutsService, { strict: false });
});

let next = 100;
/** A new number, of which the sandbox says nothing but that it has taken a message. */
const newPhone = () => `1203${(next += 1)}0102`;

const find = async (phone: string) =>
  (await service().api.get(`/api/v1/opt-outs?phone=${phone}`)).body.data[0];
const set = (phone: string, source: OptOutSource, scope: 'marketing' | 'all' = 'marketing') =>
  optOuts.set(service().tenantId, { phone, scope, source, reason: null });
const now = () => Math.floor(service().clock.now().getTime() / 1_000);

const preference = (phone: string | undefined, value: string, timestamp: number) => ({
  ...(phone ? { wa_id: phone } : { user_id: 'US.1' }),
  detail: `User requested to ${value} marketing messages`,
  category: 'marketing_messages',
  value,
  timestamp,
});
/** What users want, with the times of the provider. */
const prefer = (...wishes: object[]) => told.tell('user_preferences', wishes);

describe('A preference at the provider', () => {
  it('to stop opts out of marketing, since it was set, and to resume lifts that', async () => {
    const phone = newPhone();
    const since = now() - 10;
    await prefer(preference(phone, 'stop', since));
    expect(await find(phone)).toEqual({
      phone,
      scope: 'marketing',
      source: 'provider',
      reason: 'User requested to stop marketing messages',
      created_at: new Date(since * 1_000).toISOString(),
    });
    await prefer(preference(phone, 'resume', since + 5));
    expect(await find(phone)).toBeUndefined();
  });

  it('to resume that was set before the last stop lifts nothing, however late it comes', async () => {
    const phone = newPhone();
    const since = now() - 10;
    await prefer(preference(phone, 'stop', since));
    await prefer(preference(phone, 'resume', since - 60));
    expect(await find(phone)).toMatchObject({ source: 'provider' });
  });

  it.each<OptOutSource>(['api', 'dashboard', 'import', 'keyword'])(
    'to resume lifts nothing that came from %s, even after a stop',
    async (source) => {
      const phone = newPhone();
      await set(phone, source, 'all');
      await prefer(preference(phone, 'stop', now()));
      await prefer(preference(phone, 'resume', now() + 1));
      expect(await find(phone)).toMatchObject({ source, scope: 'all' });
    },
  );

  it('of one delivery counts as it was set last, and a user without a number is let be', async () => {
    const [one, other] = [newPhone(), newPhone()];
    const [earlier, later] = [now() - 20, now() - 10];
    await prefer(
      preference(one, 'resume', later),
      preference(other, 'stop', later),
      preference(undefined, 'stop', later),
      preference(one, 'stop', earlier),
      preference(other, 'resume', earlier),
    );
    expect(await find(one)).toBeUndefined();
    expect(await find(other)).toMatchObject({ source: 'provider' });
  });
});

/** A marketing template of the demo. */
const OFFER = {
  data: {
    name: 'spring_offer',
    params: ['Amal', '20 %'],
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example/a.jpg' } }] },
    ],
  },
};

describe('The provider’s error 131050', () => {
  const failed = async (id: number) =>
    eventually(async () => {
      const message = await service().api.message(id);
      expect(message).toMatchObject({ status: 'failed', error: { code: 131050 } });
    });

  it('as the answer to a message opts its recipient out', async () => {
    const phone = newPhone();
    service().sandbox.recipients.setPreference(DEMO.wabaId, phone, 'stop');
    await eventually(async () => expect(await find(phone)).toBeDefined());
    await service().api.request('DELETE', `/api/v1/opt-outs/${phone}`);
    const sent = await service().api.send(phone, OFFER);
    await failed(sent.body.data['message_log_id']);
    expect(await find(phone)).toMatchObject({ scope: 'marketing', source: 'provider', reason: '131050' });
  });

  it('as a receipt does so once, and leaves an opt-out that there is', async () => {
    const [phone, known] = [newPhone(), newPhone()];
    await set(known, 'api', 'marketing');
    for (const each of [phone, known]) {
      const sent = await service().api.send(each);
      const id = sent.body.data['message_log_id'];
      const message = await eventually(async () => {
        const record = await service().api.message(id);
        expect(record['provider_message_id']).not.toBeNull();
        return record;
      });
      const fields = { id: message['provider_message_id'], recipient_id: each };
      const errors = [{ code: 131050, title: 'User has stopped marketing' }];
      await deliver(service(), [DEMO.wabaId, 'messages', receipt({ ...fields, status: 'failed', errors })]);
      await failed(id);
    }
    expect(await find(phone)).toMatchObject({ source: 'provider' });
    expect(await find(known)).toMatchObject({ source: 'api' });
  });
});

describe('A text of a recipient', () => {
  let texts = 0;
  const write = (...messages: object[]) =>
    told.tell('messages', {
      messaging_product: 'whatsapp',
      messages: messages.map((message) => ({ id: `wamid.in.${(texts += 1)}`, ...message })),
    });
  const said = (from: string, body: string) => ({
    from,
    timestamp: String(now()),
    type: 'text',
    text: { body },
  });

  it('that is a keyword opts out of marketing, and resuming at the provider does not lift that', async () => {
    const [one, other, third] = [newPhone(), newPhone(), newPhone()];
    await write(
      said(one, ' Stop! '),
      said(other, 'Please stop the delivery'),
      {
        from: third,
        timestamp: String(now()),
        type: 'button',
        button: { payload: 'x', text: 'Stop promotions' },
      },
      { from_user_id: 'US.1', timestamp: String(now()), type: 'text', text: { body: 'stop' } },
    );
    expect(await find(one)).toMatchObject({ scope: 'marketing', source: 'keyword', reason: 'Stop!' });
    expect(await find(other)).toBeUndefined();
    expect(await find(third)).toMatchObject({ source: 'keyword' });
    await prefer(preference(one, 'resume', now() + 1));
    expect(await find(one)).toMatchObject({ source: 'keyword' });
  });

  it('takes over what the provider has set, and narrows nothing', async () => {
    const [one, other] = [newPhone(), newPhone()];
    await prefer(preference(one, 'stop', now()));
    await set(other, 'api', 'all');
    await write(said(one, 'STOP'), said(other, 'STOP'));
    expect(await find(one)).toMatchObject({ source: 'keyword' });
    expect(await find(other)).toMatchObject({ source: 'api', scope: 'all' });
  });

  it('is compared with the tenant’s own words once it has chosen some', async () => {
    const keywords = service().app.get(OptOutKeywordsService, { strict: false });
    const [one, other] = [newPhone(), newPhone()];
    await keywords.change(service().tenantId, ['Enough']);
    try {
      await write(said(one, 'enough.'), said(other, 'stop'));
    } finally {
      await keywords.change(service().tenantId, null);
    }
    expect(await find(one)).toMatchObject({ source: 'keyword' });
    expect(await find(other)).toBeUndefined();
  });
});

describe('The stream of events', () => {
  it('tells who has opted out and in, each once, and nothing where nothing has changed', async () => {
    const phone = newPhone();
    const put = () =>
      service().api.request(
        'PUT',
        `/api/v1/opt-outs/${phone}`,
        JSON.stringify({ scope: 'all', reason: 'Asked' }),
        {
          'Content-Type': 'application/json',
        },
      );
    const since = now() - 10;
    await prefer(preference(phone, 'stop', since));
    await prefer(preference(phone, 'stop', since));
    await prefer(preference(phone, 'resume', since + 1));
    await put();
    await put();
    await service().api.request('DELETE', `/api/v1/opt-outs/${phone}`);
    const stream = service().app.get(EventStream, { strict: false });
    const events = await eventually(async () => {
      const page = await stream.read(service().tenantId, null, {
        limit: 1_000,
        types: ['recipient.opted_out', 'recipient.opted_in'],
      });
      const own = page.events.filter(({ data }) => data['phone'] === phone);
      expect(own).toHaveLength(4);
      return own;
    });
    expect(events.map(({ type, data }) => [type, data['source'], data['scope']])).toEqual([
      ['recipient.opted_out', 'provider', 'marketing'],
      ['recipient.opted_in', 'provider', 'marketing'],
      ['recipient.opted_out', 'api', 'all'],
      ['recipient.opted_in', 'api', 'all'],
    ]);
    expect(events[0]?.occurred_at).toBe(new Date(since * 1_000).toISOString());
  });
});
