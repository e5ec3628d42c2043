import { expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { eventually } from './support/eventually.js';
import { runSql } from './support/operator.js';
import { addTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';
import { deliver } from './support/webhooks.js';
import { untilStreamIsWhole } from './support/whole-stream.js';

const service = useTestService();
const told = new ToldUpdates(service);
const [NUMBER] = DEMO.numbers;

let next = 100;
/** A new number, of which the sandbox says nothing but that it has taken a message. */
const newPhone = () => `1204${(next += 1)}0102`;

/** What the tenant was told of messages of this recipient. */
async function toldOf(from: string, tenantId = service().tenantId) {
  await untilStreamIsWhole(service());
  const stream = service().app.get(EventStream, { strict: false });
  const { events } = await stream.read(tenantId, null, { limit: 1_000, types: ['message.inbound'] });
  return events.filter(({ data }) => data['from'] === from);
}

/** What it was told, once there are as many events. */
const expectTold = (from: string, count: number) =>
  eventually(async () => {
    const events = await toldOf(from);
    expect(events).toHaveLength(count);
    return events;
  });

let ids = 0;
const newId = () => `wamid.inbound.${(ids += 1)}`;
const seconds = () => Math.floor(service().clock.now().getTime() / 1_000);
const written = (from: string, body: string) => ({
  from,
  id: newId(),
  timestamp: String(seconds()),
  type: 'text',
  text: { body },
});
const to = (phone_number_id: string, ...messages: object[]) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: NUMBER.phone, phone_number_id },
  messages,
});

/** The provider's id of a new message, once it has one. */
async function sent(phone: string, changes: Record<string, unknown> = {}) {
  const answer = await service().api.send(phone, changes);
  const id: number = answer.body.data['message_log_id'];
  const wamid = await eventually(async () => {
    const { provider_message_id } = await service().api.message(id);
    expect(provider_message_id).toEqual(expect.any(String));
    return provider_message_id as string;
  });
  return { id, wamid };
}

it('A reply is told with the message that it answers and its client_reference, a tapped button with its payload', async () => {
  const phone = newPhone();
  const { id, wamid } = await sent(phone, { client_reference: 'visit-7' });
  const { recipients } = service().sandbox;
  recipients.write(NUMBER.phoneNumberId, phone, 'When?');
  recipients.write(NUMBER.phoneNumberId, phone, 'Which floor?', { to: wamid });
  recipients.write(NUMBER.phoneNumberId, phone, 'Confirm', { to: wamid, payload: 'yes' });
  const events = await expectTold(phone, 3);
  const common = { messaging_account_id: NUMBER.apiId, from: phone };
  const reply = { in_reply_to: id, client_reference: 'visit-7' };
  expect(events.map(({ data }) => data)).toEqual(
    expect.arrayContaining([
      { ...common, type: 'text', text: 'When?' },
      { ...common, ...reply, type: 'text', text: 'Which floor?' },
      { ...common, ...reply, type: 'button', text: 'Confirm', payload: 'yes' },
    ]),
  );
});

it('An interactive reply is told with its label and id, anything else with its type alone', async () => {
  const phone = newPhone();
  const base = { from: phone, timestamp: '1731705721' };
  await told.tell(
    'messages',
    to(
      NUMBER.phoneNumberId,
      {
        ...base,
        id: newId(),
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'b1', title: 'Later' } },
      },
      { ...base, id: newId(), type: 'image', image: { id: '1', caption: 'Look' } },
      { ...base, id: newId(), type: 'location', location: { latitude: 25.2, longitude: 55.3 } },
    ),
  );
  const events = await expectTold(phone, 3);
  const common = { messaging_account_id: NUMBER.apiId, from: phone };
  expect(events.map(({ data }) => data)).toEqual([
    { ...common, type: 'interactive', text: 'Later', payload: 'b1' },
    { ...common, type: 'image' },
    { ...common, type: 'location' },
  ]);
  expect(events[0]?.occurred_at).toBe(new Date(1_731_705_721_000).toISOString());
});

it('A message is told once, in whatever deliveries it comes again, and the next one too', async () => {
  const phone = newPhone();
  const [one, other] = [written(phone, 'One'), written(phone, 'Other')];
  const value = (...messages: object[]) => to(NUMBER.phoneNumberId, ...messages);
  // The first names another field too, so its bytes would not tell that it comes again.
  await deliver(
    service(),
    [DEMO.wabaId, 'messages', value(one, one)],
    [DEMO.wabaId, 'unheard_of', { event: 'X' }],
  );
  await deliver(service(), [DEMO.wabaId, 'messages', value(one)]);
  await told.applied();
  await deliver(service(), [DEMO.wabaId, 'messages', value(one, other)]);
  await told.applied();
  const events = await expectTold(phone, 2);
  expect(events.map(({ data }) => data['text'])).toEqual(['One', 'Other']);
});

it("A message belongs to the number's tenant, under its own business account, and answers no message of another", async () => {
  const phone = newPhone();
  const other = await addTenant(service(), { phones: ['14155551301'] });
  const { wamid } = await sent(phone);
  const [number] = await runSql(
    service(),
    'SELECT phone_number_id FROM messaging_accounts WHERE tenant_id = $1',
    [other.id],
  );
  const answer = () => ({ ...written(phone, 'Hello'), context: { id: wamid } });
  await deliver(
    service(),
    [DEMO.wabaId, 'messages', to(number!['phone_number_id'] as string, answer())],
    [DEMO.wabaId, 'messages', to('99', answer())],
    [other.wabaId, 'messages', to(number!['phone_number_id'] as string, answer())],
  );
  await told.applied();
  const events = await eventually(async () => {
    const found = await toldOf(phone, other.id);
    expect(found).toHaveLength(1);
    return found;
  });
  expect(events[0]?.data).toEqual({
    messaging_account_id: other.accounts[0],
    from: phone,
    type: 'text',
    text: 'Hello',
  });
  expect(await toldOf(phone)).toEqual([]);
});
