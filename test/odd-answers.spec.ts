import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { tagOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { runSql } from './support/operator.js';
import { closeAll } from './support/provider-stubs.js';
import { type Answer, refuse, ScriptedProvider, take } from './support/scripted-provider.js';
import { startTestService, type TestService } from './support/service.js';

const refuseWith =
  (status: number, text: string): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);

describe('An answer that the database cannot store as it is', () => {
  let service: TestService;
  let provider: ScriptedProvider;

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    service = await startTestService({ PROVIDER_BASE_URL: provider.url, RETRY_BUDGET: 3_600 });
  });
  afterAll(async () => {
    await service.stop();
    await closeAll();
  });

  /** Sends a message whose tries get these answers. */
  async function send(...tries: Answer[]): Promise<number> {
    const answer = await service.api.send(`+${provider.recipient(...tries)}`);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const expectRecord = (id: number, expected: Record<string, unknown>) =>
    eventually(async () => expect(await service.api.message(id)).toMatchObject(expected));

  const metric = async (line: string) =>
    Number((await service.api.get('/metrics')).text.split(`${line} `)[1]?.split('\n')[0] ?? 0);

  it.each([
    ['a code beyond 32 bits', refuse(99_999_999_999)],
    [
      'a code of twenty digits',
      refuseWith(
        400,
        '{"error": {"message": "No", "code": 99999999999999999999, "error_data": {"details": "Why"}}}',
      ),
    ],
  ])('is recorded with %s among its details', async (_what, answer) => {
    await expectRecord(await send(answer), {
      status: 'failed',
      error: { code: null, title: 'No', details: expect.stringMatching(/^Code 9{11,20}\. Why$/) },
    });
  });

  it.each([
    ['a NUL', 'a\0b', 'a\u{fffd}b'],
    ['half a surrogate pair', 'a\ud83db', 'a\u{fffd}b'],
    ['a surrogate pair at the place where it is cut', `${'a'.repeat(999)}😀`, `${'a'.repeat(999)}\u{fffd}`],
  ])('is recorded without %s', async (_what, details, recorded) => {
    await expectRecord(await send(refuse(131026, { details })), {
      status: 'failed',
      error: { code: 131026, details: recorded },
    });
  });

  it('leads to another try when its code says so', async () => {
    const id = await send(refuse(131000, { details: 'later\0' }));
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });

  it('is the last one when it asks for an endless wait', async () => {
    const id = await send(refuse(131000, { headers: { 'retry-after': '9'.repeat(30) } }));
    await expectRecord(id, { status: 'failed', error: { code: 131000 } });
  });

  it("is recorded as sent without the provider's id when the id is refused, and others of its commit with theirs", async () => {
    const counted = 'tms_outcomes_refused_total{recorded="in_short"}';
    const before = await metric(counted);
    // The columns take any text; an operator's own constraint may not.
    await runSql(
      service,
      `ALTER TABLE message_logs ADD CHECK (provider_message_id <> 'wamid.refused') NOT VALID`,
    );
    const answered = [take('wamid.refused'), take(), take('wamid.\ud83d'), take()];
    const ids = await Promise.all(answered.map((answer) => send(answer)));
    const [first, second, third, fourth] = ids as [number, number, number, number];
    await expectRecord(first, { status: 'sent', provider_message_id: null });
    await expectRecord(second, {
      status: 'sent',
      provider_message_id: `wamid.${await tagOf(service, second)}`,
    });
    await expectRecord(third, { status: 'sent', provider_message_id: 'wamid.\u{fffd}' });
    await expectRecord(fourth, {
      status: 'sent',
      provider_message_id: `wamid.${await tagOf(service, fourth)}`,
    });
    expect(await metric(counted)).toBe(before + 1);
    expect(await metric('tms_late_total{kind="answer"}')).toBe(0);
  });

  it('begins a hold like any other answer', async () => {
    const holds = service.app.get(HoldsService, { strict: false });
    const id = await send(refuse(190, { details: 'expired\0' }));
    await eventually(async () =>
      expect(await holds.list()).toEqual([
        expect.objectContaining({ scope: 'business_account', error: expect.objectContaining({ code: 190 }) }),
      ]),
    );
    service.clock.forward(60_000);
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });
});
