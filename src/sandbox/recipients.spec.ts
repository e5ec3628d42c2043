import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPossiblePhoneNumber } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { RECIPIENTS, type SandboxRecipient, exampleNumber } from './recipients.js';
import { SandboxFixture, eventually } from './spec-support.js';

/** The answers to the tries in order, how often the message was accepted, and its receipts. */
interface Fate {
  answers: (string | number)[];
  taken: number;
  receipts: string[];
}

const READ = ['sent', 'delivered', 'read'];
const FATES: Record<string, Fate> = {
  read: { answers: ['accepted'], taken: 1, receipts: READ },
  delivered_only: { answers: ['accepted'], taken: 1, receipts: ['sent', 'delivered'] },
  sent_only: { answers: ['accepted'], taken: 1, receipts: ['sent'] },
  read_without_delivered: { answers: ['accepted'], taken: 1, receipts: ['sent', 'read'] },
  expired: { answers: ['accepted'], taken: 1, receipts: ['sent'] },
  undeliverable: { answers: [131026, 131026], taken: 0, receipts: [] },
  undeliverable_later: { answers: ['accepted'], taken: 1, receipts: ['failed 131026'] },
  marketing_cap: { answers: ['accepted'], taken: 1, receipts: ['failed 131049'] },
  marketing_cap_at_once: { answers: [131049, 131049], taken: 0, receipts: [] },
  number_rate: { answers: [130429, 130429, 'accepted'], taken: 1, receipts: READ },
  pair_rate: { answers: [131056, 'accepted'], taken: 1, receipts: READ },
  transient: { answers: [131000, 131000, 'accepted'], taken: 1, receipts: READ },
  bare_503: { answers: ['HTTP 503', 'accepted'], taken: 1, receipts: READ },
  account_rate: { answers: [80007, 'accepted'], taken: 1, receipts: READ },
  app_rate: { answers: [4, 'accepted'], taken: 1, receipts: READ },
  slow: { answers: ['accepted'], taken: 1, receipts: READ },
  taken_no_answer: { answers: ['no answer'], taken: 1, receipts: READ },
  not_taken_no_answer: { answers: ['no answer', 'accepted'], taken: 1, receipts: READ },
  taken_connection_lost: { answers: ['connection lost'], taken: 1, receipts: READ },
  taken_connection_lost_no_receipt: { answers: ['connection lost', 'accepted'], taken: 2, receipts: READ },
  not_taken_connection_lost: { answers: ['connection lost', 'accepted'], taken: 1, receipts: READ },
  held: { answers: ['held_for_quality_assessment'], taken: 1, receipts: ['sent', 'delivered'] },
  held_then_failed: { answers: ['held_for_quality_assessment'], taken: 1, receipts: ['failed 132015'] },
  disorder: { answers: ['accepted'], taken: 1, receipts: ['read', 'sent', 'delivered', 'delivered', 'sent'] },
  delivered_after_failed: {
    answers: ['accepted'],
    taken: 1,
    receipts: ['sent', 'failed 131026', 'delivered'],
  },
  template_paused: { answers: [132015, 'accepted'], taken: 1, receipts: READ },
  token_error: { answers: [190, 'accepted'], taken: 1, receipts: READ },
  country_restricted: { answers: [130497, 130497], taken: 0, receipts: [] },
  country_restricted_later: { answers: ['accepted'], taken: 1, receipts: ['failed 130497'] },
  marketing_disabled: { answers: [131063, 'accepted'], taken: 1, receipts: READ },
  marketing_disabled_later: { answers: ['accepted'], taken: 1, receipts: ['failed 131063'] },
  payment_problem: { answers: [131042, 'accepted'], taken: 1, receipts: READ },
  payment_problem_later: { answers: ['accepted'], taken: 1, receipts: ['failed 131042'] },
  spam_restricted: { answers: [131048, 'accepted'], taken: 1, receipts: READ },
  spam_restricted_later: { answers: ['accepted'], taken: 1, receipts: ['failed 131048'] },
  account_locked: { answers: [131031, 'accepted'], taken: 1, receipts: READ },
  account_locked_later: { answers: ['accepted'], taken: 1, receipts: ['failed 131031'] },
};

describe('A recipient of the table', () => {
  const fixture = new SandboxFixture();
  beforeAll(() => fixture.start());
  afterAll(() => fixture.stop());

  it.each(RECIPIENTS.map((recipient) => [recipient.name, recipient] as const))(
    'behaves as its row says: %s',
    async (name, recipient) => {
      const fate = FATES[name];
      const answers: Fate['answers'] = [];
      for (const _ of fate?.answers ?? []) answers.push(await tryOnce(recipient));
      const receipts = await receiptsOf(name, fate?.receipts.length ?? 0);
      expect({ answers, taken: takenOf(name), receipts }).toEqual(fate);
    },
  );

  it.each(RECIPIENTS.map((recipient) => exampleNumber(recipient)))(
    'has a possible phone number: %s',
    (number) => {
      expect(isPossiblePhoneNumber(number, metadata)).toBe(true);
    },
  );

  it('stands in the table once', () => {
    expect(new Set(RECIPIENTS.map(({ suffix }) => suffix)).size).toBe(RECIPIENTS.length);
    expect(RECIPIENTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(FATES).toSorted());
  });

  it('fails again for each new message', async () => {
    await expect(outcome('+12025550121', 'first')).resolves.toBe(131056);
    await expect(outcome('+12025550121', 'second')).resolves.toBe(131056);
    await expect(outcome('+12025550121', 'first')).resolves.toBe('accepted');
  });

  it('is recognized by its last digits alone, and any other number reads its messages', async () => {
    await expect(outcome('+971 50 123 0110', 'uae')).resolves.toBe(131026);
    await expect(outcome('+44 7700 900999', 'other')).resolves.toBe('accepted');
    await expect(receiptsOf('other', 3)).resolves.toEqual(READ);
  });

  it('that throttles says how many seconds to wait', async () => {
    const answer = await fixture.send('+12025550120', 'throttled');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([400, '1']);
  });

  it('whose receipts come in disorder gives them times in the usual order', async () => {
    await fixture.send('+12025550142', 'late');
    await receiptsOf('late', 5);
    const times = fixture.receiver.receiptsOf('late').map(({ status, timestamp }) => [timestamp, status]);
    const read = times.find(([, status]) => status === 'read')?.[0];
    expect(times.every(([time]) => Number(time) <= Number(read))).toBe(true);
  });

  const tryOnce = (recipient: SandboxRecipient) => outcome(exampleNumber(recipient), recipient.name);

  async function outcome(to: string, callbackData: string): Promise<string | number> {
    const answer = fixture.send(to, callbackData).catch(() => 'connection lost' as const);
    // Longer than the slow recipient takes, shorter than anybody waits.
    const silence = new Promise<'no answer'>((resolve) =>
      setTimeout(() => resolve('no answer'), 400).unref(),
    );
    const first = await Promise.race([answer, silence]);
    if (typeof first === 'string') return first;
    if (first.body.error) return first.body.error.code;
    if (first.status !== 200) return `HTTP ${first.status}`;
    return (
      (first.body as unknown as { messages: { message_status: string }[] }).messages[0]?.message_status ?? ''
    );
  }

  function takenOf(callbackData: string): number {
    return fixture.sandbox.messages().filter((message) => message.biz_opaque_callback_data === callbackData)
      .length;
  }

  async function receiptsOf(callbackData: string, count: number): Promise<string[]> {
    const { receiver } = fixture;
    await eventually(() => receiver.receiptsOf(callbackData).length >= count);
    return receiver.receiptsOf(callbackData).map((receipt) => {
      const [error] = (receipt.errors ?? []) as { code: number }[];
      return error ? `${String(receipt.status)} ${error.code}` : String(receipt.status);
    });
  }
});
