import type { Usage } from './meter.js';
import type { LoadResult } from './load.js';
import { percentile } from './statistics.js';

/** What one measurement has found. */
export interface Outcome {
  /** By name; rates are per second, times in milliseconds. */
  figures: Record<string, number>;
  usage: Usage;
  /** Why it must not be quoted. */
  faults: string[];
}

/** Rate and latencies of a load. */
export function loadFigures({ answers, seconds, latencies }: LoadResult): Record<string, number> {
  return { rate: answers / seconds, p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}

/** Every message that was accepted must have been taken by the provider, and none twice. */
export function lossFaults(accepted: number, { distinct, repeated }: { distinct: number; repeated: number }) {
  const faults: string[] = [];
  if (distinct !== accepted) faults.push(`${accepted} messages accepted, ${distinct} taken by the provider`);
  if (repeated > 0) faults.push(`${repeated} messages taken again`);
  return faults;
}
