import { describe, expect, it } from '@jest/globals';
import { LedgerService } from '../src/ledger/ledger.service.js';
import { exampleNumber, RECIPIENTS } from '../src/sandbox/recipients.js';
import { eventually } from './support/eventually.js';
import { runSql } from './support/operator.js';
import { useTestService } from './support/test-service.js';

const service = useTestService({ RETRY_BASE: 20, RETRY_CAP: 100, DATABASE_READ_POOL: 3 });

const numberOf = (name: string) => exampleNumber(RECIPIENTS.find((each) => each.name === name)!);

/** The value of a series by its name and labels as they are shown; 0 where there is none. */
async function valueOf(series: string): Promise<number> {
  const { text } = await service().api.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

describe('The metrics of work', () => {
  it('time each send by what became of it', async () => {
    const { api } = service();
    const key = { 'Idempotency-Key': 'timed' };
    expect((await api.send('+12025550100', {}, key)).status).toBe(202);
    expect((await api.send('+12025550100', {}, key)).status).toBe(202);
    expect((await api.send('no phone')).status).toBe(422);
    await runSql(service(), 'ALTER TABLE message_logs RENAME TO message_logs_away');
    try {
      expect((await api.send('+12025550100')).status).toBe(500);
    } finally {
      await runSql(service(), 'ALTER TABLE message_logs_away RENAME TO message_logs');
    }
    for (const outcome of ['accepted', 'replayed', 'refused', 'failed'])
      expect([outcome, await valueOf(`tms_accept_duration_seconds_count{outcome="${outcome}"}`)]).toEqual([
        outcome,
        1,
      ]);
  });

  it('count answers with an error by their code, also before a route is reached', async () => {
    const before = await valueOf('tms_error_answers_total{code="UNAUTHORIZED"}');
    expect((await service().api.with({ Authorization: 'Bearer none' }).get('/api/v1/messages')).status).toBe(
      401,
    );
    expect(await valueOf('tms_error_answers_total{code="UNAUTHORIZED"}')).toBe(before + 1);
    expect(await valueOf('tms_error_answers_total{code="INVALID_PHONE"}')).toBe(1);
  });

  it('count claims, and time the calls of the provider by what it answered', async () => {
    const done = 'tms_provider_duration_seconds_count{call="send",outcome="done"}';
    const [claims, calls] = [await valueOf('tms_messages_claimed_total'), await valueOf(done)];
    await service().api.send('+12025550100');
    await eventually(async () => expect(await valueOf(done)).toBe(calls + 1));
    expect(await valueOf('tms_messages_claimed_total')).toBeGreaterThan(claims);
    expect(await valueOf('tms_provider_duration_seconds_count{call="other",outcome="done"}')).toBeGreaterThan(
      0,
    );
  });

  it("count the provider's error codes, of answers and of receipts", async () => {
    await service().api.send(numberOf('undeliverable'));
    await service().api.send(numberOf('undeliverable_later'));
    await service().api.send(numberOf('bare_503'));
    for (const labels of [
      'source="answer",code="131026"',
      'source="receipt",code="131026"',
      'source="answer",code="none"',
    ])
      await eventually(async () =>
        expect(await valueOf(`tms_provider_errors_total{${labels}}`)).toBeGreaterThan(0),
      );
  });

  it('tell how much is used of what the process has', async () => {
    expect(await valueOf('tms_pool_size{pool="database"}')).toBe(service().config.DATABASE_POOL);
    expect(await valueOf('tms_pool_size{pool="reads"}')).toBe(3);
    expect(await valueOf('tms_pool_size{pool="delivery"}')).toBe(service().config.DELIVERY_IN_FLIGHT);
    for (const pool of ['database', 'reads', 'delivery'])
      expect(await valueOf(`tms_pool_used{pool="${pool}"}`)).toBeLessThanOrEqual(
        await valueOf(`tms_pool_size{pool="${pool}"}`),
      );
  });
});

describe('The ledger', () => {
  const check = (random: number) => service().app.get(LedgerService, { strict: false }).checkSome(random);
  const unbalanced = () => valueOf('tms_ledger_unbalanced_total');

  it('is compared with some messages at a time, and a message that does not fit is counted', async () => {
    const ids = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await service().api.send('+12025550100')).body.data['message_log_id']);
    const checked = await valueOf('tms_ledger_checked_total');
    await check(0);
    expect(await valueOf('tms_ledger_checked_total')).toBeGreaterThanOrEqual(checked + ids.length);
    expect(await unbalanced()).toBe(0);
    await runSql(service(), `UPDATE message_logs SET cost = cost + 1 WHERE id = ${ids[1]}`);
    await check(0);
    expect(await unbalanced()).toBe(1);
    await check(1); // begins with the oldest message
    expect(await unbalanced()).toBe(1);
    await runSql(service(), `UPDATE message_logs SET cost = cost - 1 WHERE id = ${ids[1]}`);
  });
});
