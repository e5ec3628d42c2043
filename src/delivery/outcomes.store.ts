import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { GroupCommit } from '../database/group-commit.js';
import type { MessageError, UnwantedError } from '../messages/domain/message-error.js';
import * as outcomes from './outcomes.sql.js';

/** What ties an outcome to the claim it belongs to. */
interface ClaimReference {
  id: number;
  attempt: number;
}

export interface Applied {
  /** False when the message was sent again meanwhile: the answer came late, and is kept as an event. */
  applied: boolean;
}

/** What became of messages whose outcome stayed unknown. */
export interface ResolvedUnknown {
  /** How many are sent again. */
  requeued: number;
  /** The ids of those that are given up. */
  failed: number[];
}

const OUTCOME_BATCH = 200;

/**
 * Records what became of claimed messages: each method is one arrow, one atomic statement of outcomes.sql.ts. What many
 * callers record at once shares a commit.
 */
@Injectable()
export class OutcomesStore {
  private readonly groups: { drained(): Promise<void> }[] = [];
  readonly recordSent;
  readonly recordRetry;
  readonly recordUnknown;
  readonly recordFailed;
  readonly release;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.recordSent = this.outcome<{ provider_message_id: string | null; details: object }>(
      outcomes.RECORD_SENT,
    );
    this.recordRetry = this.outcome<{ due_at: Date; event: string; details: object }>(outcomes.RECORD_RETRY);
    this.recordUnknown = this.outcome<{ resolve_at: Date; details: object }>(outcomes.RECORD_UNKNOWN);
    this.recordFailed = this.outcome<{ error: MessageError | UnwantedError; calls?: number }>(
      outcomes.RECORD_FAILED,
    );
    this.release = this.outcome<{ due_at: Date }>(outcomes.RELEASE);
  }

  /** Decides the claims whose outcome stayed unknown to the end of their window, but for those `underWay` here. */
  async resolveUnknown(underWay: number[]): Promise<ResolvedUnknown> {
    const [result] = await this.database.run<ResolvedUnknown>(outcomes.RESOLVE_UNKNOWN, [
      this.clock.now(),
      this.config.UNKNOWN_OUTCOME_POLICY,
      this.config.RETRY_BUDGET_AUTHENTICATION,
      this.config.RETRY_BUDGET,
      underWay,
      this.config.UNKNOWN_OUTCOME_WINDOW,
      this.config.UNKNOWN_OUTCOME_RESENDS,
    ]);
    return result as ResolvedUnknown;
  }

  /** Resolves when every outcome that was handed in is committed. */
  async drained(): Promise<void> {
    await Promise.all(this.groups.map((outcome) => outcome.drained()));
  }

  private outcome<Fields>(statement: Statement) {
    const group = new GroupCommit<ClaimReference & Fields, Applied>({
      commit: (items) => this.runBatch<ClaimReference & Fields, Applied & { id: number }>(statement, items),
      maxBatch: OUTCOME_BATCH,
    });
    this.groups.push(group);
    return (outcome: ClaimReference & Fields) => group.submit(outcome);
  }

  /** One row of the answer for each item, in their order. */
  private async runBatch<Item, Result>(statement: Statement, items: Item[]): Promise<Result[]> {
    const rows = items.map((item, ordinal) => ({ ordinal, ...item }));
    return this.database.run<Result>(statement, [this.clock.now(), JSON.stringify(rows)]);
  }
}
