/**
 * `npm run bench`: starts everything itself, measures floors and service in turns, prints figures and their ratios to
 * the targets, and writes them to bench/results/latest.json. Exits with 1 and without figures when a request failed or
 * a message was lost; with --smoke also when a figure is far off its target.
 */
import 'reflect-metadata';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Entry } from './bench.js';
import { Environment } from './environment.js';
import { type Options, parseOptions, USAGE } from './options.js';
import { GROWN, planRound } from './plan.js';
import { topTens } from './profile.js';
import { number, printed } from './report.js';
import { type Measured, summarise } from './summary.js';

const RESULTS = new URL('results/', import.meta.url);
const PROFILES = new URL('profiles/', RESULTS).pathname;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Functions that end what was started. */
const ends: (() => Promise<void>)[] = [];

/** @returns the exit code */
async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    say(USAGE);
    return 0;
  }
  const options = parseOptions(args);
  await rm(PROFILES, { recursive: true, force: true });
  const environment = await Environment.start(say, ends, options.profile ? PROFILES : undefined);
  const entries = await planRound(environment, options);
  const { all, faults } = await measureRounds(entries, options);
  if (faults.length > 0) {
    say(`\n${await environment.logs()}`);
    say(`\nNot to be quoted:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    return 1;
  }
  const summary = summarise(all, options);
  say(`\n${printed(summary)}`);
  if (options.profile) say(`\nWhere the time went:\n${(await topTens(PROFILES)).join('\n')}`);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL('latest.json', RESULTS), `${JSON.stringify(summary, null, 2)}\n`);
  return options.smoke && summary.verdicts.some(({ reached }) => !reached) ? 1 : 0;
}

/** Each second round goes backwards: what comes first of two that are compared comes second then. */
async function measureRounds(
  entries: Entry[],
  { rounds, roundsOf }: Options,
): Promise<{ all: Measured[]; faults: string[] }> {
  const all: Measured[] = entries.map(({ name, title }) => ({ name, title, outcomes: [] }));
  const faults: string[] = [];
  const last = Math.max(rounds, ...Object.values(roundsOf));
  for (let round = 1; round <= last; round += 1) {
    const turns = [...entries.entries()];
    for (const [index, entry] of round % 2 === 1 ? turns : turns.toReversed()) {
      const { name, title, measure, once } = entry;
      if (round > (once ? 1 : (roundsOf[name.replace(GROWN, '')] ?? rounds))) continue;
      const outcome = await measure();
      all[index]?.outcomes.push(outcome);
      faults.push(...outcome.faults.map((fault) => `round ${round}, ${name}: ${fault}`));
      const figures = Object.entries(outcome.figures).map(([figure, value]) => `${figure} ${number(value)}`);
      say(`${round}/${last} ${title}: ${figures.join(', ')}${outcome.faults.length > 0 ? ' (FAULTS)' : ''}`);
    }
  }
  return { all, faults };
}

let finishing: Promise<never> | undefined;

/** Ends everything, then this process; the first code counts. */
function finish(code: number): Promise<never> {
  finishing ??= endAll().then(() => process.exit(code));
  return finishing;
}

async function endAll(): Promise<void> {
  for (const end of ends.toReversed()) await end();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void finish(130));

let code = 1;
try {
  code = await main(process.argv.slice(2));
} catch (error) {
  const { message, stack, code: kind } = error as NodeJS.ErrnoException;
  const isUsers = error instanceof RangeError || kind?.startsWith('ERR_PARSE_ARGS');
  // Work that is ended on purpose fails, which is not reported.
  if (!finishing) say(isUsers ? `${message}\n\n${USAGE}` : String(stack));
}
await finish(code);
