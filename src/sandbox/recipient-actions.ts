import type { Clock } from '../common/clock.js';
import { GraphError, unknownObject } from './graph-error.js';
import { newWamid } from './ids.js';
import type { SandboxState } from './sandbox-state.js';
import type { WebhookSender } from './webhook-sender.js';

export const PREFERENCES = ['stop', 'resume'] as const;

/** What recipients do by themselves: set their preference for marketing, and write. */
export class RecipientActions {
  constructor(
    private readonly state: SandboxState,
    private readonly webhooks: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /** Stops or resumes a business account's marketing to a recipient, and tells it by `user_preferences`. */
  setPreference(wabaId: string, phone: string, value: string): void {
    const preference = PREFERENCES.find((known) => known === value);
    if (!preference) throw new GraphError(100, `value must be one of ${PREFERENCES.join(', ')}.`);
    const account = this.state.accounts.get(wabaId);
    if (!account) throw unknownObject(wabaId);
    const to = digitsOf(phone);
    this.state.setStopped(wabaId, to, preference === 'stop');
    const told = {
      wa_id: to,
      detail: `User requested to ${preference} marketing messages`,
      category: 'marketing_messages',
      value: preference,
      timestamp: this.seconds(),
    };
    const update = { messaging_product: 'whatsapp', contacts: [contactOf(to)], user_preferences: [told] };
    this.webhooks.send(account, { field: 'user_preferences', value: update });
  }

  /**
   * Writes a text to a number.
   * @param reply.to the provider's id of the message that it answers
   * @param reply.payload of the button that the recipient tapped, whose label is the text
   */
  write(
    phoneNumberId: string,
    phone: string,
    text: string,
    reply: { to?: string | undefined; payload?: string | undefined } = {},
  ): void {
    if (text.trim() === '') throw new GraphError(100, 'text is required.');
    const accounts = [...this.state.accounts.values()];
    const found = accounts.flatMap((account) => account.numbers.map((number) => ({ account, number })));
    const to = found.find(({ number }) => number.phoneNumberId === phoneNumberId);
    if (!to) throw unknownObject(phoneNumberId);
    const from = digitsOf(phone);
    const metadata = {
      display_phone_number: to.number.displayPhoneNumber.replace(/\D/g, ''),
      phone_number_id: phoneNumberId,
    };
    const message = {
      from,
      id: newWamid(),
      timestamp: String(this.seconds()),
      ...(reply.to !== undefined && { context: { from: metadata.display_phone_number, id: reply.to } }),
      ...(reply.payload === undefined
        ? { type: 'text', text: { body: text } }
        : { type: 'button', button: { text, payload: reply.payload } }),
    };
    const value = {
      messaging_product: 'whatsapp',
      metadata,
      contacts: [contactOf(from)],
      messages: [message],
    };
    this.webhooks.send(to.account, { field: 'messages', value });
    if (reply.to !== undefined) this.noteReply(reply.to, text, reply.payload);
  }

  private noteReply(wamid: string, text: string, payload: string | undefined): void {
    const at = this.clock.now().toISOString();
    this.state.addReply(wamid, { at, text, ...(payload !== undefined && { payload }) });
  }

  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }
}

const contactOf = (phone: string) => ({ profile: { name: 'Sandbox recipient' }, wa_id: phone });

function digitsOf(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  if (/^[1-9]\d{4,14}$/.test(digits)) return digits;
  throw new GraphError(100, 'The recipient must be digits with a country code.');
}
