import 'reflect-metadata';
import { readDotEnv } from '../config/dot-env.js';
import { NegativeResult } from './action.js';
import { describeFault } from './fault.js';
import { runCommand } from './run-command.js';

/** Runs one command: one JSON object on standard output, exit code 1 on a fault. */
async function main(): Promise<void> {
  const result = await runCommand(process.argv.slice(2), readDotEnv(process.env));
  if (result) end(result, 0);
}

function fail(error: unknown): void {
  if (error instanceof NegativeResult) end(error.answer, 1);
  else end({ success: false, error: describeFault(error) }, 1);
}

/** Does not wait for what may still be open, such as standard input. */
function end(answer: object, exitCode: number): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(exitCode));
}

process.on('uncaughtException', fail);
main().catch(fail);
