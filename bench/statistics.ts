/** The value in the middle; NaN for an empty list. */
export function median(values: number[]): number {
  return percentile(values, 50);
}

/** The smallest value that so many per cent of all do not exceed; NaN for an empty list. */
export function percentile(values: number[], percent: number): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
