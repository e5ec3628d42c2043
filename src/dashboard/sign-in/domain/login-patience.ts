/** How long one has to wait after failures. Times are in seconds. */
export interface Patience {
  /** How many tries there are before the first wait. */
  free: number;
  /** The first wait; it doubles with each further try. */
  first: number;
  longest: number;
}

/** Seconds to wait after this number of failed tries. */
export function waitAfter(tries: number, { free, first, longest }: Patience): number {
  return tries < free ? 0 : Math.min(first * 2 ** (tries - free), longest);
}
