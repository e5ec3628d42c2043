/**
 * `npm run test:faults`, the long form; FaultOptions says what the options mean. Prints a report, and exits with 1 when a
 * message was lost or repeated, or when anything else is wrong.
 */
import 'reflect-metadata';
import type { Span } from './chaos.js';
import { runFaults } from './harness.js';
import { printed } from './report.js';
import { runOptions } from '../support/run-options.js';
import { SingleServers } from './single-servers.js';

const USAGE = `npm run test:faults -- [--minutes 10] [--faults 100] [--messages 50000] [--rate 90] [--window 30]
  [--life 3000] [--workers 2] [--seed N]
  [--pauses 20-60] [--silences 5-30]  seconds; "none" leaves these faults out`;

const values = runOptions(
  {
    minutes: { type: 'string', default: '10' },
    faults: { type: 'string', default: '100' },
    messages: { type: 'string', default: '50000' },
    rate: { type: 'string', default: '90' },
    window: { type: 'string', default: '30' },
    life: { type: 'string', default: '3000' },
    pauses: { type: 'string', default: '20-60' },
    silences: { type: 'string', default: '5-30' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
  USAGE,
);

/** Reads a span of seconds, such as `20-60`, into milliseconds. */
function spanOf(text: string): Span | null {
  if (text === 'none') return null;
  const [shortest = NaN, longest = NaN] = text.split('-').map((part) => Number(part) * 1_000);
  if (!(shortest <= longest)) throw new RangeError(`${text} should be like 20-60, or none`);
  return [shortest, longest];
}

const silences = spanOf(values.silences);
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`Seed ${values.seed}`);
const report = await runFaults(
  {
    seed: Number(values.seed),
    duration: Number(values.minutes) * 60_000,
    faults: Number(values.faults),
    messages: Number(values.messages),
    rate: Number(values.rate),
    window: Number(values.window),
    longestLife: Number(values.life),
    workers: Number(values.workers),
    failPoints: 'endless',
    hasSilence: true,
    pauses: spanOf(values.pauses),
    ground: (folder) => SingleServers.start(folder, silences),
  },
  say,
);
say(`\n${printed(report)}\n\n${report.verdict.holds ? 'Nothing lost, nothing twice.' : 'NOT AS PROMISED.'}`);
process.exit(report.verdict.holds ? 0 : 1);
