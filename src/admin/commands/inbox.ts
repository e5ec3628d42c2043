import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { Command } from 'commander';
import { ApiError } from '../../common/errors.js';
import { ParkedDeliveriesService } from '../../webhooks/parked-deliveries.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';

class ListOptions {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit: number;
}

class ReplayOptions {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  id?: number;

  all?: boolean;
}

/** Webhook deliveries that could not be applied. */
export function inboxCommands(program: Command, act: Act): void {
  program
    .command('inbox:parked')
    .description(
      'Lists the webhook deliveries that were put aside because they could not be applied, oldest first.',
    )
    .usage('[--limit 100]')
    .option('--limit <number>', 'how many of them', '100')
    .action(act(list, ListOptions));
  program
    .command('inbox:replay')
    .description('Has deliveries that were put aside applied again, when what stood in their way is gone.')
    .usage('--id ID | --all')
    .option('--id <id>', 'id of one delivery; see inbox:parked')
    .option('--all', 'every one of them')
    .action(act(replay, ReplayOptions));
}

async function list(context: AdminContext, { limit }: ListOptions): Promise<object> {
  return context.get(ParkedDeliveriesService).list(limit);
}

async function replay(context: AdminContext, { id, all }: ReplayOptions): Promise<object> {
  if ((id === undefined) === (all === undefined))
    throw new ApiError('VALIDATION_FAILED', 'Give either --id or --all.', [{ field: '--id' }]);
  const replayed = await context.get(ParkedDeliveriesService).replay(id ?? null);
  if (replayed > 0 || all) return { replayed };
  throw new ApiError('NOT_FOUND', 'No delivery with this id was put aside; see inbox:parked.', [
    { field: '--id' },
  ]);
}
