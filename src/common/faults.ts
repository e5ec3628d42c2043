import { ApiError } from './errors.js';

/** Takes a fault of a request. Rules tell their faults in the order of the checks. */
export type TakeFault = (fault: ApiError) => void;

/** For a send: the first fault is its answer, and no further rule is looked at. */
export const stopAtFirst: TakeFault = (fault) => {
  throw fault;
};

/** What the rule comes to; undefined when its fault was taken. Faults of the service are not taken. */
export function unlessFaulty<Result>(take: TakeFault, rule: () => Result): Result | undefined {
  try {
    return rule();
  } catch (error) {
    takeOrThrow(take, error);
  }
}

/** The same for a rule that has to look something up. */
export async function unlessFaultyAsync<Result>(
  take: TakeFault,
  rule: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await rule();
  } catch (error) {
    takeOrThrow(take, error);
  }
}

function takeOrThrow(take: TakeFault, error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  take(error);
}
