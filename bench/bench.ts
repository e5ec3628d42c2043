import type { Deployment } from './deployment.js';
import type { Options } from './options.js';
import type { Outcome } from './outcome.js';

/** Measures one thing once. */
export type Measure = (deployment: Deployment, options: Options) => Promise<Outcome>;

/** One line of a round. */
export interface Entry {
  name: string;
  title: string;
  measure(): Promise<Outcome>;
  /** Whether it is measured in the first round only, as it takes long. */
  once?: boolean;
}
