import { describe, expect, it } from '@jest/globals';
import { NegativeResult } from '../src/admin/action.js';
import { runCommand } from '../src/admin/run-command.js';
import { eventually } from './support/eventually.js';
import { ledgerOf } from './support/ledger.js';
import { adminEnv, runSql } from './support/operator.js';
import { useTestService } from './support/test-service.js';

const DAY = 86_400_000;

const service = useTestService();

const verify = () => ledgerOf(service().app).verify();
const run = (text: string, values?: unknown[]) => runSql(service(), text, values);

async function send(phone: string): Promise<number> {
  const answer = await service().api.send(phone);
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}

/** Adds an entry that no statement of the service would make. */
const book = (id: number, kind: string, ordinal: number, amount: string, createdAt = service().clock.now()) =>
  run(
    `INSERT INTO ledger_entries (tenant_id, message_log_id, kind, ordinal, amount, currency, created_at)
     VALUES ($1, $2, $3, $4, $5, 'USD', $6) RETURNING id`,
    [service().tenantId, id, kind, ordinal, amount, createdAt],
  );

describe('The ledger', () => {
  it('is balanced when nothing was sent', async () => {
    expect(await verify()).toEqual({
      balanced: true,
      tenants: 0,
      messages: 0,
      currencies: [],
      differences: [],
    });
  });

  it('is balanced at every moment, whatever happens to the messages', async () => {
    const suffixes = ['0100', '0110', '0111', '0112', '0122', '0134', '0142', '0143'];
    const ids: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      ids.push(...(await Promise.all(suffixes.map((suffix) => send(`+1202555${suffix}`)))));
      expect(await verify()).toMatchObject({ balanced: true, differences: [] });
    }
    await eventually(async () => {
      expect(await verify()).toMatchObject({ balanced: true, messages: ids.length, differences: [] });
      const [row] = await run(`SELECT count(*) AS failed FROM message_logs WHERE status = 'failed'`);
      expect(row?.['failed']).toBeGreaterThanOrEqual(18);
    });
    const { tenants, currencies } = await verify();
    expect(tenants).toBe(1);
    for (const { charged, refunded, cost } of currencies) {
      expect(Number(charged) - Number(refunded)).toBeCloseTo(Number(cost), 6);
    }
  });

  it('is checked by ledger:verify', async () => {
    expect(await runCommand(['ledger:verify'], adminEnv(service()))).toMatchObject({
      balanced: true,
      currencies: [{ currency: 'USD', charged: expect.stringMatching(/^\d+\.\d{6}$/) }],
    });
  });

  it('stays balanced when old messages are deleted and their entries stay', async () => {
    const id = await send('+12025550101');
    await eventually(async () => expect((await service().api.message(id))['status']).toBe('delivered'));
    await run('DELETE FROM message_logs WHERE id = $1 RETURNING id', [id]);
    expect(await verify()).toMatchObject({
      balanced: false,
      differences: [{ message_log_id: id, status: null }],
    });
    service().clock.forward(4 * DAY);
    expect(await verify()).toMatchObject({ balanced: true, differences: [] });
  });

  it('names the messages whose entries do not sum up to their cost, although the totals agree', async () => {
    const [one, other] = [await send('+12025550101'), await send('+12025550101')];
    const { cost } = await service().api.message(one);
    await book(one, 'refund', 1, String(cost));
    await book(other, 'charge', 2, String(cost));
    const report = await verify();
    expect(report.balanced).toBe(false);
    expect(report.differences).toEqual([
      expect.objectContaining({
        message_log_id: one,
        charged: '0.004000',
        refunded: '0.004000',
        cost: '0.004000',
      }),
      expect.objectContaining({ message_log_id: other, charged: '0.008000', refunded: '0.000000' }),
    ]);
    await expect(runCommand(['ledger:verify'], adminEnv(service()))).rejects.toThrow(NegativeResult);
  });

  it('names at most 20 differences', async () => {
    for (let id = 1; id <= 25; id += 1) await book(1_000_000 + id, 'charge', 1, '1');
    expect((await verify()).differences).toHaveLength(20);
  });
});
