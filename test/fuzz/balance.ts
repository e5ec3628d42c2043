import { ledgerDifference } from '../faults/facts.js';
import { eventually } from '../support/eventually.js';
import { directUrlOf } from '../support/infrastructure.js';
import type { World } from './world.js';

const UNCHARGED = `
  SELECT m.id FROM message_logs m
  WHERE (SELECT count(*) FROM ledger_entries l WHERE l.message_log_id = m.id AND l.kind = 'charge' AND l.ordinal = 1) <> 1`;

const WAITING = 'SELECT id FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL';

/** Faults that are left after all requests: in charges, in refunds, and deliveries that nobody applies. */
export async function imbalances(world: World): Promise<string[]> {
  await eventually(async () => {
    const waiting = await world.run(WAITING);
    if (waiting.length > 0) throw new Error(`${waiting.length} deliveries wait to be applied`);
  });
  const difference = await ledgerDifference(directUrlOf(world.service.config));
  const uncharged = await world.run<{ id: number }>(UNCHARGED);
  return [
    ...(difference === 0 ? [] : [`the ledger is out of balance by ${difference}`]),
    ...uncharged.map(({ id }) => `message ${id} has not exactly one charge`),
  ];
}
