import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { Command } from 'commander';
import { type Decision, RestoresService } from '../../restores/restores.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { instantOf, IsInstant } from '../options.js';

class BeginOptions {
  @IsInstant()
  moment: string;

  @IsOptional()
  @IsInstant()
  lostUntil?: string;
}

class ReportOptions {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  after: number;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100_000)
  limit: number;
}

class SettleOptions {
  @IsIn(['send', 'fail'])
  as: Decision;

  @IsOptional()
  @Matches(/^\d{1,15}(,\d{1,15}){0,999}$/, { message: '$property must be up to 1,000 ids with commas' })
  ids?: string;
}

/** After the database was restored to an earlier moment: docs/operations.md, "Backups". */
export function restoreCommands(program: Command, act: Act): void {
  program
    .command('restore:begin')
    .description(
      'After the database was restored to a moment, before the service starts: holds what may have been sent since.',
    )
    .usage('--moment TIME [--lost-until TIME]')
    .requiredOption('--moment <time>', 'the moment that the database was restored to')
    .option('--lost-until <time>', 'when the former service ended: what was due later is not held; else now')
    .action(act(begin, BeginOptions));
  program
    .command('restore:report')
    .description('Names the messages that may be sent twice, and those that were sent and are forgotten.')
    .usage('[--after ID] [--limit 1000]')
    .option('--after <id>', 'only messages with higher ids, for the next page', '0')
    .option('--limit <number>', 'how many of each kind at most', '1000')
    .action(act(report, ReportOptions));
  program
    .command('restore:settle')
    .description('Decides on the messages that may be sent twice: they are sent, or they fail.')
    .usage('--as send|fail [--ids ID,…]')
    .requiredOption('--as <decision>', 'send or fail')
    .option('--ids <ids>', 'only these, with commas; else all')
    .action(act(settle, SettleOptions));
}

async function begin(context: AdminContext, { moment, lostUntil }: BeginOptions): Promise<object> {
  const until = lostUntil === undefined ? null : instantOf(lostUntil);
  return context.get(RestoresService).begin(instantOf(moment)!, until);
}

async function report(context: AdminContext, { after, limit }: ReportOptions): Promise<object> {
  return context.get(RestoresService).report(after, limit);
}

async function settle(context: AdminContext, { as, ids }: SettleOptions): Promise<object> {
  return context.get(RestoresService).settle(as, ids?.split(',').map(Number) ?? null);
}
