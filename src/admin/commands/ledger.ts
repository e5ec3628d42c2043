import type { Command } from 'commander';
import { LedgerService } from '../../ledger/ledger.service.js';
import { type Act, NegativeResult } from '../action.js';
import type { AdminContext } from '../admin-context.js';

/** What was charged and refunded. */
export function ledgerCommands(program: Command, act: Act): void {
  program
    .command('ledger:verify')
    .description(
      'Tells whether charges less refunds are the cost of all messages; exits 1 when they are not.',
    )
    .usage('')
    .action(act(verify));
}

async function verify(context: AdminContext): Promise<object> {
  const report = await context.get(LedgerService).verify();
  if (!report.balanced) throw new NegativeResult(report);
  return report;
}
