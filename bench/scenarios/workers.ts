import type { Measure } from '../bench.js';
import type { Outcome } from '../outcome.js';
import { drain } from './drain.js';

/** What more workers on the same machine change: the messages a second with which one, two and four empty a backlog. */
export const workers: Measure = async (deployment, options) => {
  const outcomes: Outcome[] = [];
  for (const count of [1, 2, 4]) outcomes.push(await drain(count)(deployment, options));
  const [one, two, four] = outcomes.map(({ figures }) => figures['rate'] ?? 0) as [number, number, number];
  const [, , { usage }] = outcomes as [Outcome, Outcome, Outcome];
  return { figures: { one, two, four }, usage, faults: outcomes.flatMap(({ faults }) => faults) };
};
