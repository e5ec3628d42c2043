import type { AdminContext } from './admin-context.js';

/** What a command does with its checked options; it prints what this returns. */
export type Work<Options> = (context: AdminContext, options: Options) => Promise<object>;

/** Makes a command's action: options checked by their class, a context opened, the work done, its result printed. */
export type Act = <Options extends object>(
  work: Work<Options>,
  options?: new () => Options,
) => (given: object) => Promise<void>;

/** A result that is bad news: printed as any other, with exit code 1. */
export class NegativeResult extends Error {
  constructor(readonly answer: object) {
    super('The result is negative');
  }
}
