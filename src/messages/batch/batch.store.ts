import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { CommitUnknownError } from '../../database/database-errors.js';
import { GroupCommit } from '../../database/group-commit.js';
import type { OptOutScope } from '../../recipients/domain/opt-out.js';
import type { ReachedLimit } from '../../spending/spend-limit-reached.js';
import { SpendLimitsService } from '../../spending/spend-limits.service.js';
import { ACCEPT_BATCH } from '../accept.sql.js';
import { findAccepted } from '../cut-acceptance.js';
import { type JudgedMessage, NOBODYS } from '../judged-message.js';
import type { BatchOutcome } from './batch-outcome.js';

/** The messages of one batch that have passed every rule, and all that is kept with them. */
export interface JudgedBatch {
  tenantId: string;
  /** By their index in the batch. */
  messages: Map<number, JudgedMessage>;
  refused: BatchOutcome['refused'];
  key: { key: string; bodyHash: string } | null;
}

/**
 * `template_changed`: of the messages at these indexes; then none is stored. `not_stored`: the connection was lost on the
 * way, and it is certain that nothing was committed.
 */
export type BatchAcceptance =
  | {
      outcome: 'accepted';
      ids: Map<number, number>;
      optedOut: Map<number, OptOutScope>;
      overLimit: Map<number, ReachedLimit[]>;
    }
  | { outcome: 'template_changed'; indexes: number[] }
  | { outcome: 'key_taken' | 'not_stored' };

interface AcceptedRow {
  ordinal: number;
  id: number;
  outcome: 'accepted' | 'template_changed' | 'opted_out' | 'over_limit' | 'key_taken';
  opt_out_scope: OptOutScope | null;
  limits: ReachedLimit[] | null;
}

/** Batches that are stored at the same time: others use the connections as well. */
const AT_ONCE = 2;

/** Messages of batches that wait: some seconds' worth, and some 50 MB. */
const MOST_WAITING = 10_000;

/** Milliseconds: batches that wait behind one that took longer get a 503. */
const PATIENCE = 3_000;

/** Stores batches: each in one statement, all of it or nothing. */
@Injectable()
export class BatchStore {
  private readonly accepts = this.groupCommit();
  /** Of tenants with limits of what may be spent: they wait for one another, and nobody else for them. */
  private readonly limited = this.groupCommit();

  constructor(
    private readonly database: Database,
    private readonly spendLimits: SpendLimitsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the batch is committed, or refused because of what has changed meanwhile.
   * @throws CommitUnknownError when the database was lost before it could tell; QueueFullError when too many wait
   */
  async accept(batch: JudgedBatch): Promise<BatchAcceptance> {
    if (batch.messages.size === 0) return this.keepAnswer(batch);
    const hasLimit = await this.spendLimits.areSetFor(batch.tenantId);
    return (hasLimit ? this.limited : this.accepts).submit(batch);
  }

  private groupCommit(): GroupCommit<JudgedBatch, BatchAcceptance> {
    return new GroupCommit({
      commit: async ([batch]) => [await this.acceptOne(batch as JudgedBatch)],
      maxBatch: 1,
      concurrency: AT_ONCE,
      patience: PATIENCE,
      mostWaiting: MOST_WAITING,
      weightOf: ({ messages }) => messages.size,
    });
  }

  /** Of a batch without any message to store. */
  private async keepAnswer({ tenantId, key, refused }: JudgedBatch): Promise<BatchAcceptance> {
    const nothing = {
      outcome: 'accepted',
      ids: new Map(),
      optedOut: new Map(),
      overLimit: new Map(),
    } as const;
    if (!key) return nothing;
    const answer: BatchOutcome = { accepted: [], opted_out: [], refused };
    const values = [tenantId, key.key, key.bodyHash, JSON.stringify(answer), this.clock.now()];
    const kept = await this.database.run(KEEP_ANSWER, values);
    return kept.length > 0 ? nothing : { outcome: 'key_taken' };
  }

  private async acceptOne({ tenantId, messages, refused, key }: JudgedBatch): Promise<BatchAcceptance> {
    const now = this.clock.now();
    const rows = [...messages].map(([ordinal, message]) => ({
      ordinal,
      accept_token: randomUUID(),
      ...message,
      ...NOBODYS,
    }));
    const hash = key?.bodyHash ?? null;
    const values = [now, JSON.stringify(rows), tenantId, key?.key ?? null, hash, JSON.stringify(refused)];
    try {
      return acceptanceOf(await this.database.commit<AcceptedRow>(ACCEPT_BATCH, values));
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      const found = await findAccepted(this.database, error, now, rows);
      return found.size === 0 ? { outcome: 'not_stored' } : foundAgain(rows, found);
    }
  }
}

function acceptanceOf(rows: AcceptedRow[]): BatchAcceptance {
  const ordinals = (outcome: AcceptedRow['outcome']) => rows.filter((row) => row.outcome === outcome);
  const changed = ordinals('template_changed');
  if (changed.length > 0)
    return { outcome: 'template_changed', indexes: changed.map(({ ordinal }) => ordinal) };
  if (ordinals('key_taken').length > 0) return { outcome: 'key_taken' };
  return {
    outcome: 'accepted',
    ids: new Map(ordinals('accepted').map(({ ordinal, id }) => [ordinal, id])),
    optedOut: new Map(
      ordinals('opted_out').map(({ ordinal, opt_out_scope }) => [ordinal, opt_out_scope as OptOutScope]),
    ),
    overLimit: new Map(ordinals('over_limit').map(({ ordinal, limits }) => [ordinal, limits ?? []])),
  };
}

/** Some are there, so the statement was committed: it has left out what was opted out or over a limit, and only that. */
function foundAgain(
  rows: { ordinal: number; accept_token: string }[],
  found: Map<string, number>,
): BatchAcceptance {
  const ids = new Map<number, number>();
  for (const { ordinal, accept_token } of rows) {
    const id = found.get(accept_token);
    if (id !== undefined) ids.set(ordinal, id);
  }
  return { outcome: 'accepted', ids, optedOut: new Map(), overLimit: new Map() };
}

/** Keeps the answer ($4) to a batch of which nothing is accepted. No row when its key ($2) is taken. */
export const KEEP_ANSWER: Statement = {
  name: 'idempotency_keep_answer',
  text: `
    INSERT INTO idempotency_keys (tenant_id, key, body_hash, answer, created_at)
    VALUES ($1::uuid, $2::text, $3::text, $4::jsonb, $5::timestamptz) ON CONFLICT DO NOTHING RETURNING key`,
};
