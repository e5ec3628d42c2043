import type { Usage } from './meter.js';
import type { LoadResult } from './load.js';
import { percentile } from './statistics.js';

/** The result of one measurement. */
export interface Outcome {
  /** Figures by name; rates are per second, times in milliseconds. */
  figures: Record<string, number>;
  usage: Usage;
  /** Why the result must not be used. */
  faults: string[];
}

/** Rate and latencies of a load. */
export function loadFigures({ answers, seconds, latencies }: LoadResult): Record<string, number> {
  return { rate: answers / seconds, p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}

/** Faults when the provider did not take every accepted message, or took one twice. */
export function lossFaults(accepted: number, { distinct, repeated }: { distinct: number; repeated: number }) {
  const faults: string[] = [];
  if (distinct !== accepted) faults.push(`${accepted} messages accepted, ${distinct} taken by the provider`);
  if (repeated > 0) faults.push(`${repeated} messages taken again`);
  return faults;
}
