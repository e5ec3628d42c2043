import { CommanderError } from 'commander';
import type { Act } from './action.js';
import { AdminContext, migrateDatabase } from './admin-context.js';
import { checkOptions } from './options.js';
import { adminProgram } from './program.js';

/**
 * Runs the command that `args` names, with the variables of `env`.
 * @returns its result; nothing for help, which is printed
 * @throws what describeFault describes
 */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<object | undefined> {
  let result: object | undefined;
  const act: Act = (work, type) => async (given) => {
    const options = checkOptions(given, type);
    const context = await AdminContext.open(env);
    try {
      result = await work(context, options);
    } finally {
      await context.close();
    }
  };
  const migrateOnly = async () => {
    result = { migrations: await migrateDatabase(env) };
  };
  try {
    await adminProgram(act, migrateOnly).parseAsync(args, { from: 'user' });
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    if (!isHelp) throw error;
  }
  return result;
}
