import type { Environment } from './environment.js';
import { load, type LoadOptions } from './load.js';
import type { Options } from './options.js';
import { loadFigures, type Outcome } from './outcome.js';
import type { BenchProcess } from './processes.js';

/**
 * Warms processes up with a load, then measures the same load.
 * @returns the outcome, and how many requests were answered in both together
 */
export async function measuredLoad(
  environment: Environment,
  processes: Record<string, BenchProcess>,
  { seconds, warmUp, connections }: Options,
  options: Pick<LoadOptions, 'urls' | 'next' | 'expected'>,
): Promise<Outcome & { answers: number }> {
  const before = await load({ ...options, connections, seconds: warmUp });
  const meter = environment.meter(processes);
  meter.start();
  const result = await load({ ...options, connections, seconds });
  return {
    answers: before.answers + result.answers,
    figures: loadFigures(result),
    usage: await meter.stop(),
    faults: [...before.faults, ...result.faults],
  };
}
