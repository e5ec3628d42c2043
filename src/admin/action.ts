import type { AdminContext } from './admin-context.js';

/** What a command does with its checked options; the answer is what it prints. */
export type Work<Options> = (context: AdminContext, options: Options) => Promise<object>;

/** Makes a command's action: options checked by their class, a context opened, the work done, its result printed. */
export type Act = <Options extends object>(
  work: Work<Options>,
  options?: new () => Options,
) => (given: object) => Promise<void>;
