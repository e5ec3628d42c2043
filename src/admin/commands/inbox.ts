import { open, writeFile } from 'node:fs/promises';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Command } from 'commander';
import { ApiError } from '../../common/errors.js';
import { type DeliveryCopy, DeliveryCopiesService } from '../../webhooks/delivery-copies.service.js';
import { ParkedDeliveriesService } from '../../webhooks/parked-deliveries.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { instantOf, IsInstant } from '../options.js';

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

class ExportOptions {
  @IsInstant()
  since: string;

  @IsString()
  file: string;
}

class ImportOptions {
  @IsString()
  file: string;

  fromInbox?: boolean;
}

/** Webhook deliveries: those that could not be applied, and copies of others. */
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
  program
    .command('inbox:export')
    .description(
      'Writes the webhook deliveries that have come since a time to a file, a line of JSON for each.',
    )
    .usage('--since TIME --file FILE')
    .requiredOption('--since <time>', 'such as 2026-01-01T12:00:00Z')
    .requiredOption('--file <file>', 'made anew; it has what customers wrote and were sent')
    .action(act(exportCopies, ExportOptions));
  program
    .command('inbox:import')
    .description(
      'Puts copies of webhook deliveries into the inbox, which the service applies; those that are there already are left ' +
        'out. Each line of the file: {"payload": raw body as text, "signature": its X-Hub-Signature-256}.',
    )
    .usage('--file FILE [--from-inbox]')
    .requiredOption('--file <file>', 'from inbox:export, or what a proxy has kept')
    .option('--from-inbox', 'from inbox:export: lines have no signature, it was checked when they came')
    .action(act(importCopies, ImportOptions));
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

async function exportCopies(context: AdminContext, { since, file }: ExportOptions): Promise<object> {
  let exported = 0;
  const lines = async function* () {
    for await (const copy of context.get(DeliveryCopiesService).since(instantOf(since)!)) {
      exported += 1;
      yield `${JSON.stringify(copy)}\n`;
    }
  };
  await writeFile(file, lines(), { mode: 0o600 });
  return { exported };
}

async function importCopies(
  context: AdminContext,
  { file, fromInbox = false }: ImportOptions,
): Promise<object> {
  const input = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ApiError('VALIDATION_FAILED', `The file cannot be read (${error.code}).`, [
      { field: '--file' },
    ]);
  });
  return context.get(DeliveryCopiesService).import(copiesIn(input.readLines()), fromInbox);
}

async function* copiesIn(lines: AsyncIterable<string>): AsyncGenerator<DeliveryCopy> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line !== '') yield copyIn(line, number);
  }
}

function copyIn(line: string, number: number): DeliveryCopy {
  try {
    const { payload, signature } = JSON.parse(line);
    if (typeof payload === 'string' && JSON.parse(payload)) return { payload, signature };
  } catch {
    // said below
  }
  throw new ApiError('VALIDATION_FAILED', `Line ${number} is not of the form {"payload": "…"}.`, [
    { field: '--file', line: number },
  ]);
}
