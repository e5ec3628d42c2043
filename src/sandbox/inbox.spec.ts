import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SandboxMessage } from './sandbox-provider.js';
import { SandboxState } from './sandbox-state.js';
import { renderMessage } from './template-content.js';
import {
  NUMBER,
  SandboxFixture,
  TOKEN,
  WABA,
  bodyParameters,
  eventually,
  sendRequest,
  template,
} from './spec-support.js';

const full = (text: string) => ({
  ...sendRequest({
    to: '+12025550101',
    name: 'full',
    callbackData: 'log-1',
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://shop.example/a.png' } }] },
      bodyParameters('Ada', text),
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '7' }] },
    ],
  }),
});

describe('The inbox', () => {
  const fixture = new SandboxFixture();
  beforeAll(async () => {
    await fixture.start();
    fixture.sandbox.addTemplate(
      WABA,
      template('full', {
        components: [
          { type: 'HEADER', format: 'IMAGE' },
          { type: 'BODY', text: 'Hello {{1}}, see {{2}}.' },
          { type: 'FOOTER', text: 'Bye' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' }] },
        ],
      }),
    );
  });
  beforeEach(async () => {
    await fixture.call('DELETE', '/inbox');
  });
  afterAll(() => fixture.stop());

  const list = async (query = '') => {
    const { body } = await fixture.call('GET', `/inbox.json${query}`);
    return (body as unknown as { messages: SandboxMessage[] }).messages;
  };
  const page = async () =>
    (await fixture.call('GET', '/inbox', undefined, { accept: 'text/html' })).body as unknown;

  it('shows each message as its recipient sees it, with its receipts', async () => {
    await fixture.graph('POST', `${NUMBER}/messages`, full('this'));
    const message = await eventually(async () => (await list()).find(({ status }) => status === 'delivered'));
    expect(message).toEqual({
      wamid: expect.stringMatching(/^wamid\./),
      waba_id: WABA,
      phone_number_id: NUMBER,
      to: '12025550101',
      template: { name: 'full', language: 'en_US' },
      category: 'UTILITY',
      header: { kind: 'image', media: 'https://shop.example/a.png' },
      text: 'Hello Ada, see this.',
      footer: 'Bye',
      buttons: ['Open: https://shop.example/7'],
      quick_replies: [],
      components: expect.any(Array),
      biz_opaque_callback_data: 'log-1',
      taken_at: expect.stringMatching(/Z$/),
      status: 'delivered',
      receipts: [
        { status: 'sent', timestamp: expect.any(String) },
        { status: 'delivered', timestamp: expect.any(String) },
      ],
    });
  });

  it('is a page that escapes everything', async () => {
    await fixture.graph('POST', `${NUMBER}/messages`, full(`<script>alert("x")</script>'`));
    const html = await page();
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('href="https://shop.example/a.png"');
    expect(html).not.toMatch(/(src|<link[^>]+href)="https?:/);
  });

  it('lists the newest first, by recipient and up to a limit, and can be emptied', async () => {
    for (const to of ['+14155550171', '+14155550172', '+14155550172']) await fixture.send(to, to);
    expect((await list()).map(({ to }) => to)).toEqual(['14155550172', '14155550172', '14155550171']);
    await expect(list('?to=%2B14155550172&limit=1')).resolves.toHaveLength(1);
    await expect(list('?to=%2B14155550173')).resolves.toEqual([]);
    await expect(fixture.call('DELETE', '/inbox')).resolves.toMatchObject({ body: { deleted: 3 } });
    await expect(list()).resolves.toEqual([]);
  });

  it('answers /inbox in JSON to a caller that asks for JSON', async () => {
    const { body } = await fixture.call('GET', '/inbox', undefined, { accept: 'application/json' });
    expect(body).toEqual({ messages: [] });
  });

  it('lets one reply as the recipient, and stop and resume marketing, which the account is told', async () => {
    const { receiver } = fixture;
    fixture.sandbox.addTemplate(WABA, template('offer', { category: 'MARKETING' }));
    const offer = sendRequest({
      to: '+14155550175',
      name: 'offer',
      components: [bodyParameters('7')],
    });
    expect((await fixture.graph('POST', `${NUMBER}/messages`, offer)).status).toBe(200);
    const recipient = '/control/recipients/+14155550175';
    for (const [value, label, answer] of [
      ['stop', 'Resume marketing', { status: 400, body: { error: { code: 131050 } } }],
      ['resume', 'Stop marketing', { status: 200 }],
    ] as const) {
      const set = await fixture.call('POST', `${recipient}/preference`, { waba_id: WABA, value });
      expect(set.status).toBe(200);
      expect(await page()).toContain(label);
      const preference = { wa_id: '14155550175', category: 'marketing_messages', value };
      const told = await eventually(() =>
        receiver.values('user_preferences').find((update) => JSON.stringify(update).includes(`"${value}"`)),
      );
      expect(told).toMatchObject({ user_preferences: [preference] });
      expect(await fixture.graph('POST', `${NUMBER}/messages`, offer)).toMatchObject(answer);
    }
    await fixture.call('POST', `${recipient}/messages`, { phone_number_id: NUMBER, text: 'STOP' });
    const inbound = await eventually(() => receiver.values('messages').find((value) => 'messages' in value));
    expect(inbound).toMatchObject({
      metadata: { phone_number_id: NUMBER },
      messages: [{ from: '14155550175', type: 'text', text: { body: 'STOP' } }],
    });
    for (const wrong of [
      { value: 'pause', waba_id: WABA },
      { value: 'stop', waba_id: '1' },
    ])
      expect((await fixture.call('POST', `${recipient}/preference`, wrong)).status).toBe(400);
    expect((await fixture.call('POST', `${recipient}/messages`, { phone_number_id: NUMBER })).status).toBe(
      400,
    );
  });

  it('shows quick replies with their payloads, those of cards included, and what was replied', async () => {
    const body = { type: 'BODY', text: 'Shall we come?' };
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'URL', text: 'Shop', url: 'https://shop.example' },
      { type: 'QUICK_REPLY', text: 'No' },
    ];
    const card = { components: [{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'This one' }] }] };
    const components = [body, { type: 'BUTTONS', buttons }, { type: 'CAROUSEL', cards: [card] }];
    const taps = (index: number, payload: string) => ({
      type: 'button' as const,
      sub_type: 'quick_reply',
      index,
      parameters: [{ type: 'payload', payload }],
    });
    const sent = [
      taps(2, 'not-today'),
      { type: 'carousel' as const, cards: [{ card_index: 0, components: [] }] },
    ];
    const rendered = renderMessage({ id: '1', ...template('visit', { components }) }, sent);
    expect(rendered.quick_replies).toEqual([
      { text: 'Yes', payload: 'Yes' },
      { text: 'No', payload: 'not-today' },
      { text: 'This one', payload: 'This one' },
    ]);

    fixture.sandbox.addTemplate(WABA, template('visit', { components: components.slice(0, 2) }));
    const request = sendRequest({ to: '+14155550176', name: 'visit', components: [taps(2, 'not-today')] });
    expect((await fixture.graph('POST', `${NUMBER}/messages`, request)).status).toBe(200);
    const [message] = await list('?to=14155550176');
    const reply = { text: 'No', payload: 'not-today' };
    const said = { phone_number_id: NUMBER, in_reply_to: message!.wamid, ...reply };
    await fixture.call('POST', '/control/recipients/14155550176/messages', said);
    await expect(list('?to=14155550176')).resolves.toMatchObject([{ replies: [reply] }]);
    const inbound = await eventually(() =>
      fixture.receiver.values('messages').find((value) => JSON.stringify(value).includes('not-today')),
    );
    const context = { id: message!.wamid };
    expect(inbound).toMatchObject({ messages: [{ type: 'button', button: reply, context }] });
  });

  it('keeps the newest 10,000 messages', () => {
    const state = new SandboxState();
    for (let count = 0; count < 10_002; count += 1)
      state.addMessage({ wamid: String(count) } as SandboxMessage);
    const messages = state.messages();
    expect([messages.length, messages[0]?.wamid, messages.at(-1)?.wamid]).toEqual([10_000, '10001', '2']);
    expect(state.takenCount).toBe(10_002);
  });

  it('adds a number by a control call, in an account of its own or in an existing one', async () => {
    const { body: own } = await fixture.call('POST', '/control/numbers', {
      phone: '+14155550177',
      name: 'Third',
    });
    const known = await fixture.call('GET', `/v25.0/${own.phone_number_id}`, undefined, {
      authorization: `Bearer ${own.access_token}`,
    });
    expect(known.body).toMatchObject({ display_phone_number: '+14155550177', verified_name: 'Third' });
    const { body: other } = await fixture.call('POST', '/control/numbers', {
      phone: '14155550178',
      waba_id: own.waba_id,
    });
    expect(other).toMatchObject({
      waba_id: own.waba_id,
      access_token: own.access_token,
      phone: '+14155550178',
    });
    expect((await fixture.call('POST', '/control/numbers', { phone: 'x' })).status).toBe(400);
    expect(
      (await fixture.call('POST', '/control/numbers', { phone: '14155550179', waba_id: '1' })).status,
    ).toBe(400);
  });

  it('clones an account and moves its number there, so that the former account no longer knows the number', async () => {
    const cloned = await fixture.call('POST', `/control/accounts/${WABA}/clone`, {});
    const clone = cloned.body as unknown as { waba_id: string; access_token: string };
    const templatesOf = async (id: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await fixture.call('GET', `/v23.0/${id}/message_templates`, undefined, headers);
      return body.data as unknown as { id: string }[];
    };
    const before = await templatesOf(WABA, TOKEN);
    const copies = await templatesOf(clone.waba_id, clone.access_token);
    expect(copies.map((copy, i) => ({ ...copy, id: before[i]?.id }))).toEqual(before);
    expect(copies.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));

    const read = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fixture.call('GET', `/v23.0/${NUMBER}`, undefined, headers)).status;
    };
    expect([await read(TOKEN), await read(clone.access_token)]).toEqual([200, 400]);
    const move = { waba_id: clone.waba_id };
    await expect(fixture.call('POST', `/control/numbers/${NUMBER}/move`, move)).resolves.toMatchObject({
      body: { waba_id: clone.waba_id, phone_number_id: NUMBER },
    });
    expect([await read(TOKEN), await read(clone.access_token)]).toEqual([400, 200]);
    await fixture.call('POST', `/control/numbers/${NUMBER}/move`, { waba_id: WABA });
    expect((await fixture.call('POST', '/control/numbers/1/move', move)).status).toBe(400);
  });

  it('has an index page that names recipients and endpoints, and no secret', async () => {
    const { body } = await fixture.call('GET', '/');
    expect(body).toContain('+12025550112');
    expect(body).toContain('/control/faults');
    expect(body).not.toMatch(/sandbox-token|sandbox-app-secret/);
    const accounts = await fixture.call('GET', '/control/accounts');
    expect(JSON.stringify(accounts.body)).not.toMatch(/sandbox-token|sandbox-app-secret/);
  });
});
