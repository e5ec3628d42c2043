import { cpus, totalmem } from 'node:os';
import type { Options } from './options.js';
import type { Outcome } from './outcome.js';
import { median } from './statistics.js';
import { judge, type Verdict } from './targets.js';

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** The content of `bench/results/latest.json`. */
export interface Summary {
  at: string;
  machine: { cores: number; model: string; gibibytes: number; node: string };
  options: Options;
  scenarios: Record<string, { title: string; figures: Record<string, Spread>; cpu: Record<string, number> }>;
  redisMb: number;
  verdicts: Verdict[];
}

/** In a smoke run, a figure that misses its limit by this factor is far off. */
const SMOKE_MARGIN = 2.5;

/** The outcomes of all rounds of one line. */
export interface Measured {
  name: string;
  title: string;
  outcomes: Outcome[];
}

/** Combines the rounds. */
export function summarise(all: Measured[], options: Options): Summary {
  const scenarios = Object.fromEntries(
    all.map(({ name, title, outcomes }) => [
      name,
      {
        title,
        figures: spreads(outcomes.map(({ figures }) => figures)),
        cpu: medians(outcomes.map(({ usage }) => usage.cpu)),
      },
    ]),
  );
  const redis = all.flatMap(({ outcomes }) => outcomes.map(({ usage }) => usage.peakMb['redisData'] ?? 0));
  const redisMb = Math.max(0, ...redis);
  const rounds = all.flatMap(({ name, outcomes }) =>
    Object.keys(outcomes[0]?.figures ?? {}).map((figure) => [
      `${name}.${figure}`,
      outcomes.map(({ figures }) => figures[figure] ?? Number.NaN),
    ]),
  );
  const verdicts = judge(
    { ...Object.fromEntries(rounds), 'redis.mb': [redisMb] },
    options.smoke ? SMOKE_MARGIN : 1,
  );
  const [cpu] = cpus();
  const machine = {
    cores: cpus().length,
    model: cpu?.model ?? 'unknown',
    gibibytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  return { at: new Date().toISOString(), machine, options, scenarios, redisMb, verdicts };
}

function spread(values: number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

function spreads(rounds: Record<string, number>[]): Record<string, Spread> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, spread(rounds.map((round) => round[name] ?? Number.NaN))]),
  );
}

function medians(rounds: Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(spreads(rounds)).map(([name, { median: middle }]) => [name, middle]),
  );
}
