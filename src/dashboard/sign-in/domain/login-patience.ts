/** How long failures make wait. Seconds. */
export interface Patience {
  /** Tries until there is a wait. */
  free: number;
  /** After the last of these; it doubles with each further try. */
  first: number;
  longest: number;
}

/** Seconds until another try after so many, if none of them succeeds. */
export function waitAfter(tries: number, { free, first, longest }: Patience): number {
  return tries < free ? 0 : Math.min(first * 2 ** (tries - free), longest);
}
