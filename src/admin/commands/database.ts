import type { Command } from 'commander';

/** The tables themselves. */
export function databaseCommands(program: Command, migrateOnly: () => Promise<void>): void {
  program
    .command('database:migrate')
    .description(
      "Brings the database to this version's schema while the service runs, as each start does. " +
        'Needs DATABASE_URL only. Run it before the processes of a new version start.',
    )
    .usage('')
    .action(migrateOnly);
}
