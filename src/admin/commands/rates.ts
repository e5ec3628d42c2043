import { readFile } from 'node:fs/promises';
import { IsNotEmpty } from 'class-validator';
import type { Command } from 'commander';
import { ApiError } from '../../common/errors.js';
import { PricingService } from '../../pricing/pricing.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsInstant, instantOf } from '../options.js';

class LoadOptions {
  @IsNotEmpty()
  file: string;

  @IsInstant()
  effectiveFrom: string;
}

/** The provider's price lists. */
export function rateCommands(program: Command, act: Act): void {
  program
    .command('rates:load')
    .description("Loads a rate card, a CSV file in the provider's published form.")
    .usage('--file PATH --effective-from TIME')
    .requiredOption('--file <path>', 'Market, Currency, Marketing, Utility, Authentication, …')
    .requiredOption(
      '--effective-from <time>',
      'ISO 8601: a day (from midnight UTC) or a time with its offset',
    )
    .action(act(load, LoadOptions));
}

async function load(context: AdminContext, { file, effectiveFrom }: LoadOptions): Promise<object> {
  const from = instantOf(effectiveFrom) as Date;
  const rates = await context.get(PricingService).load(await readCard(file), from);
  return { rates, effective_from: from };
}

async function readCard(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new ApiError('VALIDATION_FAILED', 'The file cannot be read.', [{ field: '--file', reason }]);
  }
}
