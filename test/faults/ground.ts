import type { Actions } from './chaos.js';

/** What the processes of a run stand on: real servers, and what can happen to these. */
export interface Ground {
  /** The variables by which that process reaches the servers. */
  environmentOf(process: string): Record<string, string>;
  /** Where a look from outside finds PostgreSQL. */
  readonly databaseUrl: string;
  /** The faults of the servers, and of servers and processes together. */
  readonly actions: Actions;
  stop(): Promise<void>;
}
