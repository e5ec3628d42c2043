import fc from 'fast-check';

/** Thrown by a property: the faults, and the request that has them. */
export class FaultsFound extends Error {
  constructor(
    readonly faults: string[],
    /** The case, for a shell or for a test. */
    readonly shown: string,
  ) {
    super(`${faults.join('\n')}\n${shown}`);
  }
}

export interface HuntOptions {
  seed: number;
  /** The path of a finding, which repeats it. */
  path?: string;
  runs: number;
  /** When to stop, in milliseconds since 1970. */
  until?: number;
}

/** A fault that was found, after shrinking. */
export interface Finding {
  target: string;
  faults: string[];
  shown: string;
  /** The command that finds it again. */
  replay: string;
}

export interface Hunted {
  runs: number;
  finding: Finding | null;
}

/** Runs a property until it fails or has run often enough. */
export async function hunt(
  target: string,
  property: fc.IAsyncProperty<any>,
  { seed, path, runs, until }: HuntOptions,
): Promise<Hunted> {
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path !== undefined && { path }),
    ...(until !== undefined && {
      interruptAfterTimeLimit: Math.max(1, until - Date.now()),
      markInterruptAsFailure: false,
    }),
  });
  // Stopped before the first case was tried, which is no finding.
  if (!details.failed || details.numRuns === 0) return { runs: details.numRuns, finding: null };
  const error: unknown = details.errorInstance;
  const known = error instanceof FaultsFound;
  const finding = {
    target,
    faults: known ? error.faults : [String((error as Error | null)?.stack ?? 'no run came to its end')],
    shown: known ? error.shown : fc.stringify(details.counterexample),
    replay: `npm run fuzz -- --only ${target} --seed ${seed} --path ${details.counterexamplePath}`,
  };
  return { runs: details.numRuns, finding };
}

/** Throws the faults, if there are any. */
export function report(faults: string[], shown: string): void {
  if (faults.length > 0) throw new FaultsFound(faults, shown);
}
