import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertsService } from '../src/alerts/alerts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { type HeldMessage, HoldsService } from '../src/outbox/holds/holds.service.js';
import { eventually } from './support/eventually.js';
import { closeAll, json } from './support/provider-stubs.js';
import { type Answer, refuse, ScriptedProvider, take } from './support/scripted-provider.js';
import { startTestService, type TestService } from './support/service.js';
import { deliver, receipt } from './support/webhooks.js';

const MINUTE = 60_000;
/** Templates of the demo, with their parameters. */
const UTILITY = { name: 'order_update', params: ['Amal', 'A-1'] };
const MARKETING = {
  name: 'spring_offer',
  params: ['Amal', '20 %'],
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.jpg' } }] },
  ],
};

let service: TestService;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
  service = await startTestService({ PROVIDER_BASE_URL: provider.url, RETRY_BASE: 20, RETRY_CAP: 200 });
});
afterAll(async () => {
  await service.stop();
  await closeAll();
});

const holds = () => service.app.get(HoldsService, { strict: false });
afterEach(async () => {
  const waiting = (await service.api.get('/api/v1/messages?status=queued')).body.data as unknown as {
    message_log_id: number;
  }[];
  for (const { message_log_id: id } of waiting)
    await service.api.post(`/api/v1/messages/${id}/cancel`, undefined);
  for (const { id } of await holds().list()) await holds().lift(id, 'command');
});

interface Sent {
  id: number;
  phone: string;
}

/** Sends a message whose tries get these answers; later tries are accepted. */
async function send(template: typeof UTILITY | typeof MARKETING, ...tries: Answer[]): Promise<Sent> {
  const phone = provider.recipient(...tries);
  const answer = await service.api.send(`+${phone}`, { data: template });
  expect(answer.status).toBe(202);
  return { id: answer.body.data['message_log_id'], phone };
}

const expectRecord = ({ id }: Sent, expected: Record<string, unknown>) =>
  eventually(async () => {
    const message = await service.api.message(id);
    expect(message).toMatchObject(expected);
    return message;
  });

/** The open holds as scope and cause. */
const openHolds = async () => (await holds().list()).map(({ scope, cause }) => ({ scope, cause }));

const again = (count: number, answer: Answer): Answer[] => Array.from({ length: count }, () => answer);

/** Delivers a receipt for a message that the provider has taken. */
async function receiptComes(message: Sent, fields: Record<string, unknown>): Promise<void> {
  const { provider_message_id: id } = await service.api.message(message.id);
  const value = receipt({ id, recipient_id: message.phone, ...fields });
  expect((await deliver(service, [DEMO.wabaId, 'messages', value])).status).toBe(200);
}

const failedWith = (code: number) => ({ status: 'failed', errors: [{ code, title: 'No' }] });

async function ledgerOf({ id }: Sent): Promise<string[]> {
  const rows = await service.database.run<{ kind: string }>(
    { name: 'test_ledger', text: 'SELECT kind FROM ledger_entries WHERE message_log_id = $1 ORDER BY id' },
    [id],
  );
  return rows.map(({ kind }) => kind);
}

describe('A refusal', () => {
  it.each([
    ['130497: a country that may not be messaged', 130497],
    ['131062: an id of another kind', 131062],
  ])('of the message alone fails it, and holds nothing: %s', async (_what, code) => {
    await expectRecord(await send(UTILITY, refuse(code)), { status: 'failed', error: { code } });
    expect(await openHolds()).toEqual([]);
  });

  it.each([
    ['131063: marketing switched off', 131063],
    ['134011: terms of payment', 134011],
  ])('of the category holds the template, and nothing else waits: %s', async (_what, code) => {
    await expectRecord(await send(MARKETING, ...again(9, refuse(code))), { status: 'queued', attempts: 1 });
    expect(await openHolds()).toEqual([{ scope: 'template', cause: 'category' }]);
    await expectRecord(await send(UTILITY), { status: 'sent' });
  });

  it.each([102, 104])('of the access holds the business account: %d', async (code) => {
    await expectRecord(await send(UTILITY, ...again(9, refuse(code))), { status: 'queued', attempts: 1 });
    expect(await openHolds()).toEqual([{ scope: 'business_account', cause: 'auth' }]);
  });

  it('that is temporary, with an unknown code, leads to another try', async () => {
    const later: Answer = (response) =>
      json(response, 400, { error: { code: 999_999, message: 'Later', is_transient: true } });
    await expectRecord(await send(UTILITY, later), { status: 'sent', attempts: 2 });
  });

  it('that does not come from the provider itself holds the business account, and does not fail the message', async () => {
    const page: Answer = (response) => void response.writeHead(404).end('<html>Not found</html>');
    const message = await send(UTILITY, page);
    await expectRecord(message, { status: 'queued', attempts: 1 });
    expect(await openHolds()).toEqual([{ scope: 'business_account', cause: 'misrouted' }]);
    service.clock.forward(MINUTE);
    await expectRecord(message, { status: 'sent', attempts: 2 });
    await eventually(async () => expect(await openHolds()).toEqual([]));
  });
});

describe('A failed receipt', () => {
  it.each([
    [131042, 'number', 'account'],
    [131031, 'number', 'account'],
    [131048, 'number', 'spam'],
    [132015, 'template', 'template_recoverable'],
    [131063, 'template', 'category'],
    [131005, 'business_account', 'auth'],
  ])('with %d fails and refunds its message, and holds the %s', async (code, scope, cause) => {
    const message = await send(UTILITY);
    await expectRecord(message, { status: 'sent' });
    await receiptComes(message, failedWith(code));
    await expectRecord(message, { status: 'failed', error: { code } });
    expect(await ledgerOf(message)).toEqual(['charge', 'refund']);
    expect(await openHolds()).toEqual([{ scope, cause }]);
    const behind = await send(UTILITY);
    await eventually(async () =>
      expect(await service.api.message(behind.id)).toMatchObject({ status: 'queued', attempts: 0 }),
    );
  });

  it.each([131000, 130429, 80007, 131026, 987_654])(
    'with %d fails its message, and holds nothing',
    async (code) => {
      const message = await send(UTILITY);
      await expectRecord(message, { status: 'sent' });
      await receiptComes(message, failedWith(code));
      await expectRecord(message, { status: 'failed', error: { code } });
      expect(await openHolds()).toEqual([]);
    },
  );
});

describe('A hold that began with a receipt', () => {
  it('ends with a receipt for its probe, not with the answer to the probe', async () => {
    const first = await send(UTILITY);
    await expectRecord(first, { status: 'sent' });
    await receiptComes(first, failedWith(131042));
    await expectRecord(first, { status: 'failed' });
    const [probe, behind] = [await send(UTILITY), await send(UTILITY)];
    service.clock.forward(MINUTE);
    await expectRecord(probe, { status: 'sent' });
    expect(await openHolds()).toHaveLength(1);
    expect(await service.api.message(behind.id)).toMatchObject({ status: 'queued', attempts: 0 });
    await receiptComes(probe, { status: 'sent' });
    await expectRecord(behind, { status: 'sent' });
    expect(await openHolds()).toEqual([]);
  });

  it('goes on when its probe fails by a receipt too, with another message as the next probe', async () => {
    const first = await send(UTILITY);
    await expectRecord(first, { status: 'sent' });
    await receiptComes(first, failedWith(131042));
    await expectRecord(first, { status: 'failed' });
    const [probe, next] = [await send(UTILITY), await send(UTILITY)];
    service.clock.forward(MINUTE);
    await expectRecord(probe, { status: 'sent' });
    await receiptComes(probe, failedWith(131042));
    await expectRecord(probe, { status: 'failed' });
    expect(await openHolds()).toHaveLength(1);
    service.clock.forward(MINUTE);
    await expectRecord(next, { status: 'sent' });
  });
});

describe('One message', () => {
  it('never stops a number: it fails when others were sent, and the hold does not come back', async () => {
    const stubborn = await send(UTILITY, ...again(9, refuse(131042)));
    await expectRecord(stubborn, { status: 'queued', attempts: 1 });
    const others = [await send(UTILITY), await send(UTILITY)];
    service.clock.forward(MINUTE);
    for (const other of others) await expectRecord(other, { status: 'sent' });
    const { error } = await expectRecord(stubborn, { status: 'failed', attempts: 2 });
    expect(error).toMatchObject({
      code: 131042,
      details: expect.stringContaining('after others had gone through'),
    });
    expect(await ledgerOf(stubborn)).toEqual(['charge', 'refund']);
    expect(await openHolds()).toEqual([]);
    await eventually(async () => {
      const alerts = await service.app.get(AlertsService, { strict: false }).open(service.tenantId, false);
      expect(alerts.filter(({ kind }) => kind === 'message_refused')).toMatchObject([
        { severity: 'warning', text: expect.stringMatching(`message ${stubborn.id} again.*131042`) },
      ]);
    });
  });

  it('does not fail when another message began the second hold', async () => {
    const [one, other] = [await send(UTILITY), await send(UTILITY)];
    const held = async ({ id }: Sent) => {
      const [message] = await service.database.run<HeldMessage>(
        {
          name: 'test_held',
          text: `
            SELECT m.id, m.tenant_id, m.messaging_account_id, m.template_id, n.business_account_id
            FROM message_logs m JOIN messaging_accounts n ON n.id = m.messaging_account_id WHERE m.id = $1`,
        },
        [id],
      );
      return message!;
    };
    const [first, second] = [await held(one), await held(other)];
    const refusal = { errorClass: 'account' as const, code: 131042, title: 'No', details: null };
    await holds().place(first, 'number', refusal);
    const [{ id } = { id: 0 }] = await holds().list();
    await holds().lift(id, 'probe');
    expect(await holds().beginsAgain(first, 'number')).toBe(true);
    await holds().place(second, 'number', refusal);
    expect(await holds().beginsAgain(first, 'number')).toBe(false);
  });

  it('waits under its hold as long as no other message is sent', async () => {
    const message = await send(UTILITY, ...again(2, refuse(131042)), take());
    await expectRecord(message, { status: 'queued', attempts: 1 });
    service.clock.forward(MINUTE);
    await expectRecord(message, { status: 'queued', attempts: 2 });
    service.clock.forward(MINUTE);
    await expectRecord(message, { status: 'sent', attempts: 3 });
  });
});
