import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { OptOutKeywordsService } from '../src/recipients/opt-out-keywords.service.js';
import type { OptOutSource } from '../src/recipients/domain/opt-out.js';
import { OptOutsService } from '../src/recipients/opt-outs.service.js';
import { eventually } from './support/eventually.js';
import { addTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';
import { deliver, receipt } from './support/webhooks.js';
import { untilStreamIsWhole } from './support/whole-stream.js';
import { DEMO } from '../src/embedded/demo.js';
import type { Queryable } from '../src/database/database.js';

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

let texts = 0;
/** What recipients write. */
const write = (...messages: object[]) =>
  told.tell('messages', {
    messaging_product: 'whatsapp',
    messages: messages.map((message) => ({ id: `wamid.in.${(texts += 1)}`, ...message })),
  });
const said = (from: string, body: string, timestamp = now()) => ({
  from,
  timestamp: String(timestamp),
  type: 'text',
  text: { body },
});

/** The types of the events that tell of a recipient, oldest first. */
async function toldOf(phone: string): Promise<string[]> {
  await untilStreamIsWhole(service());
  const { events } = await service()
    .app.get(EventStream, { strict: false })
    .read(service().tenantId, null, { limit: 1_000, types: ['recipient.opted_out', 'recipient.opted_in'] });
  return events.filter(({ data }) => data['phone'] === phone).map(({ type }) => type);
}

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

  it('to stop counts no more after a later one to resume, in whatever order and however often they come', async () => {
    const [one, other] = [newPhone(), newPhone()];
    const since = now() - 60;
    await prefer(preference(one, 'stop', since));
    await prefer(preference(one, 'resume', since + 10));
    await prefer(preference(one, 'stop', since));
    expect(await find(one)).toBeUndefined();
    expect(await toldOf(one)).toEqual(['recipient.opted_out', 'recipient.opted_in']);
    await prefer(preference(other, 'resume', since + 10));
    await prefer(preference(other, 'stop', since));
    expect(await find(other)).toBeUndefined();
    expect(await toldOf(other)).toEqual([]);
    await prefer(preference(other, 'stop', since + 20));
    expect(await find(other)).toMatchObject({ source: 'provider' });
  });

  it('to stop counts no more after a later one to resume that is applied at the same moment', async () => {
    const since = service().clock.now().getTime() - 60_000;
    for (const isResumedFirst of [false, true]) {
      const phone = newPhone();
      const wish = { tenant_id: service().tenantId, phone, scope: 'marketing', source: 'provider' } as const;
      const stop = async (connection: Queryable) => {
        await optOuts.keep([{ ...wish, reason: null, created_at: new Date(since) }], connection);
      };
      const resume = (connection: Queryable) =>
        optOuts.liftProviders([{ ...wish, resumed_at: new Date(since + 10_000) }], connection);
      const [first, second] = isResumedFirst ? [resume, stop] : [stop, resume];
      const { database } = service();
      let later: Promise<void> | undefined;
      await database.transaction(async (connection) => {
        await first(connection);
        later = database.transaction(second);
        await eventually(async () => {
          const waiting = await told.run(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting).toHaveLength(1);
        });
      });
      await later;
      expect([isResumedFirst, await find(phone)]).toEqual([isResumedFirst, undefined]);
    }
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

describe('An opt-out that was lifted by hand', () => {
  const lift = async (phone: string) => {
    const answer = await service().api.request('DELETE', `/api/v1/opt-outs/${phone}`);
    if (answer.status !== 200) throw new Error(`The opt-out was not lifted: ${answer.status}`);
  };

  it('is not set again by a wish that is older, however late it comes', async () => {
    const phone = newPhone();
    const since = now() - 60;
    await prefer(preference(phone, 'stop', since));
    await lift(phone);
    await prefer(preference(phone, 'stop', since));
    await prefer(preference(phone, 'stop', since - 10));
    await write(said(phone, 'STOP', since - 20));
    expect(await find(phone)).toBeUndefined();
    expect(await toldOf(phone)).toEqual(['recipient.opted_out', 'recipient.opted_in']);
  });

  it.each<OptOutSource>(['provider', 'keyword'])('is set again by a newer wish by %s', async (source) => {
    const phone = newPhone();
    await set(phone, 'api', 'all');
    await lift(phone);
    if (source === 'provider') await prefer(preference(phone, 'stop', now()));
    else await write(said(phone, 'STOP'));
    expect(await find(phone)).toMatchObject({ scope: 'marketing', source });
  });

  it('is set again by a program, a user or a file at once', async () => {
    for (const source of ['api', 'dashboard'] as const) {
      const phone = newPhone();
      await set(phone, source);
      await lift(phone);
      await set(phone, source);
      expect(await find(phone)).toMatchObject({ source });
    }
    const phone = newPhone();
    await set(phone, 'import');
    await lift(phone);
    const row = { tenant_id: service().tenantId, phone, scope: 'marketing', source: 'import' } as const;
    await optOuts.keep([{ ...row, reason: null, created_at: new Date(now() * 1_000 - 60_000) }]);
    expect(await find(phone)).toMatchObject({ source: 'import' });
  });

  it('that was not there is not found, and nothing is kept of it', async () => {
    const phone = newPhone();
    expect((await service().api.request('DELETE', `/api/v1/opt-outs/${phone}`)).status).toBe(404);
    await prefer(preference(phone, 'stop', now() - 60));
    expect(await find(phone)).toMatchObject({ source: 'provider' });
  });

  it('counts for its own tenant and recipient only', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    await set(phone, 'api');
    await lift(phone);
    await prefer(preference(other, 'stop', now() - 60));
    expect(await find(other)).toMatchObject({ source: 'provider' });
    const stranger = await addTenant(service(), { phones: [], templates: [] });
    const wish = { tenant_id: stranger.id, phone, scope: 'marketing', source: 'provider' } as const;
    expect(await optOuts.keep([{ ...wish, reason: null, created_at: new Date(0) }])).toBe(1);
  });

  it('is remembered by whatever spelling of the number', async () => {
    const national = `202${(next += 1)}0102`.slice(-10);
    await prefer(preference(`521${national}`, 'stop', now() - 60));
    await lift(`52${national}`);
    await prefer(preference(`521${national}`, 'stop', now() - 70));
    expect(await find(`52${national}`)).toBeUndefined();
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

  /** Sends a message to which the error comes as a receipt of this time. */
  async function failLater(phone: string, timestamp: number): Promise<void> {
    const sent = await service().api.send(phone);
    const id = sent.body.data['message_log_id'];
    const message = await eventually(async () => {
      const record = await service().api.message(id);
      expect(record['provider_message_id']).not.toBeNull();
      return record;
    });
    const fields = { id: message['provider_message_id'], recipient_id: phone, timestamp: String(timestamp) };
    const errors = [{ code: 131050, title: 'User has stopped marketing' }];
    await deliver(service(), [DEMO.wabaId, 'messages', receipt({ ...fields, status: 'failed', errors })]);
    await failed(id);
  }

  it('as a receipt does so once, and leaves an opt-out that there is', async () => {
    const [phone, known] = [newPhone(), newPhone()];
    await set(known, 'api', 'marketing');
    const since = now() - 5;
    for (const each of [phone, known]) await failLater(each, since);
    expect(await find(phone)).toMatchObject({
      source: 'provider',
      created_at: new Date(since * 1_000).toISOString(),
    });
    expect(await find(known)).toMatchObject({ source: 'api' });
  });

  it('as a receipt of before the recipient resumed opts nobody out', async () => {
    const phone = newPhone();
    const since = now() - 60;
    await prefer(preference(phone, 'resume', since + 10));
    await failLater(phone, since);
    expect(await find(phone)).toBeUndefined();
  });
});

describe('A text of a recipient', () => {
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

  it('that is a keyword counts beside a later resuming at the provider, in whatever order they come', async () => {
    const phone = newPhone();
    await prefer(preference(phone, 'resume', now()));
    await write(said(phone, 'STOP', now() - 60));
    expect(await find(phone)).toMatchObject({ source: 'keyword' });
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
