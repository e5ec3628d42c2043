import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * The options of a command that people run. `--help` prints how it is used and ends the process; so does an option that
 * there is not, with exit code 2.
 */
export function runOptions<const Known extends NonNullable<ParseArgsConfig['options']>>(
  options: Known,
  usage: string,
) {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    process.exit(2);
  }
}
