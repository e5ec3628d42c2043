import { Command } from 'commander';
import type { Act } from './action.js';
import { accountUpdateCommands } from './commands/account-updates.js';
import { accountCommands } from './commands/accounts.js';
import { apiKeyCommands } from './commands/api-keys.js';
import { databaseCommands } from './commands/database.js';
import { holdCommands } from './commands/holds.js';
import { inboxCommands } from './commands/inbox.js';
import { ledgerCommands } from './commands/ledger.js';
import { moveCommands } from './commands/moves.js';
import { rateCommands } from './commands/rates.js';
import { restoreCommands } from './commands/restores.js';
import { secretCommands } from './commands/secrets.js';
import { spendingCommands } from './commands/spending.js';
import { templateCommands } from './commands/templates.js';
import { userCommands } from './commands/users.js';

const RESULTS = `
Every command prints one JSON object: its result, or {"success": false, "error": {…}} with exit code 1.
It works on the database of DATABASE_URL, or else on that of the service that "npm start" runs in this folder.`;

/**
 * All commands. Throws a fault instead of printing it; a wrong command line is a CommanderError. Prints help only.
 * @param migrateOnly the action of the one command that works before there are tables
 */
export function adminProgram(act: Act, migrateOnly: () => Promise<void>): Command {
  const program = new Command('npm run --silent admin --')
    .description('Administers the service.')
    .usage('COMMAND [options]')
    .addHelpText('after', RESULTS)
    // Options belong to the command that they follow: a value such as -h is not the program's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  databaseCommands(program, migrateOnly);
  accountCommands(program, act);
  accountUpdateCommands(program, act);
  moveCommands(program, act);
  apiKeyCommands(program, act);
  userCommands(program, act);
  templateCommands(program, act);
  rateCommands(program, act);
  holdCommands(program, act);
  inboxCommands(program, act);
  ledgerCommands(program, act);
  spendingCommands(program, act);
  restoreCommands(program, act);
  secretCommands(program, act);
  return program;
}
