import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { CommitUnknownError } from '../database/database-errors.js';
import { GroupCommit } from '../database/group-commit.js';
import type { TemplateCategory, WireComponent } from '../provider/wire.js';
import { ACCEPT } from './accept.sql.js';
import { findAccepted } from './cut-acceptance.js';
import { PROBE_INTERVAL } from '../outbox/outcome.js';
import type { MessageError } from './domain/message-error.js';
import * as outbox from '../outbox/outbox.sql.js';
import * as outcomes from '../delivery/outcomes.sql.js';
import { APPLY_RECEIPTS } from './receipts/receipts.sql.js';

/** A message that has passed every rule. */
export interface NewMessage {
  tenant_id: string;
  messaging_account_id: number;
  template_id: number;
  /** As the caller's cache had it; another one in the database refuses the message. */
  template_revision: number;
  phone: string;
  template_name: string;
  language: string;
  components: WireComponent[];
  due_at: Date;
  scheduled_at: Date | null;
  timezone: string | null;
  auto_retry: boolean;
  category: TemplateCategory;
  cost: string;
  currency: string;
  idempotency_key: string | null;
  body_hash: string | null;
  /** With `campaign_row`: the row of a campaign that it is for. */
  campaign_id: number | null;
  campaign_row: number | null;
}

/** `not_stored`: the connection was lost on the way, and it is certain that the message was not committed. */
export type Acceptance =
  | { id: number; outcome: 'accepted' | 'template_changed' | 'key_taken' }
  | { id: null; outcome: 'not_stored' };

/** A message claimed for sending; `attempts` counts this claim. */
export interface ClaimedMessage {
  id: number;
  /** Its template is on hold, and this message tries whether the cause is gone. */
  probe: boolean;
  tenant_id: string;
  messaging_account_id: number;
  /** The business account that it is sent by, and the number's id at the provider, as they were when it was claimed. */
  business_account_id: string;
  phone_number_id: string;
  template_id: number;
  /** Its template is one of the business account that the number has left: it must not go before it is bound anew. */
  stray: boolean;
  attempts: number;
  phone: string;
  template_name: string;
  language: string;
  components: WireComponent[];
  conversation_category: TemplateCategory;
  /** When it was to be sent at first. */
  wanted_at: Date;
  /** When it was tried for the first time, or for the first time after the last hold. */
  first_attempt_at: Date;
}

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

export interface Receipt {
  business_account_id: string;
  /** The id that we sent along; null when the receipt has no tag of ours. */
  message_log_id: number | null;
  /** Whether its tag does not tell which installation it is of. */
  old_tag: boolean;
  /** The sender's id at the provider and the recipient's number, null where the receipt does not tell. */
  phone_number_id: string | null;
  recipient: string | null;
  provider_message_id: string;
  status: string;
  occurred_at: Date;
  error: MessageError | null;
  details: Record<string, unknown>;
}

export interface AppliedReceipt {
  /** Null when no message of that business account fits. */
  id: number | null;
  old_status: string | null;
  new_status: string | null;
  /** It is for another copy than the one whose provider's id is on record, and moved nothing: the message was sent twice. */
  other_copy: boolean;
  /** Of the message; null with its id. */
  tenant_id: string | null;
  messaging_account_id: number | null;
  template_id: number | null;
}

/**
 * Milliseconds after its claim was asked for in which a message has to leave for the provider. Its lease allows for that:
 * a worker that stalled for longer must not send what another may have been given.
 */
export const CLAIM_LASTS = 5_000;

const ACCEPT_BATCH = 200;

/** Messages that wait to be accepted: a second's worth at full speed, and some 50 MB. */
const MOST_ACCEPTING = 10_000;

const OUTCOME_BATCH = 200;
const CANCEL_BATCH = 500;
const RELEASE_BATCH = 1_000;

/** Milliseconds: sends that wait behind a commit that took longer get a 503. */
const ACCEPT_PATIENCE = 2_000;

/**
 * Makes and changes messages (expiry.ts deletes old ones): each method is one arrow of their life, one atomic statement
 * of accept.sql.ts, outbox.sql.ts, outcome.sql.ts or receipts.sql.ts.
 * Arrows that many callers ask for at once share a commit.
 */
@Injectable()
export class MessageLogStore {
  private readonly accepts: GroupCommit<NewMessage, Acceptance>;
  private readonly outcomes: { drained(): Promise<void> }[] = [];
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
    this.accepts = new GroupCommit({
      commit: (messages) => this.acceptBatch(messages),
      maxBatch: ACCEPT_BATCH,
      concurrency: 2,
      patience: ACCEPT_PATIENCE,
      mostWaiting: MOST_ACCEPTING,
    });
    this.recordSent = this.outcome<{ provider_message_id: string | null; details: object }>(
      outcomes.RECORD_SENT,
    );
    this.recordRetry = this.outcome<{ due_at: Date; event: string; details: object }>(outcomes.RECORD_RETRY);
    this.recordUnknown = this.outcome<{ resolve_at: Date; details: object }>(outcomes.RECORD_UNKNOWN);
    this.recordFailed = this.outcome<{ error: MessageError }>(outcomes.RECORD_FAILED);
    this.release = this.outcome<{ due_at: Date }>(outbox.RELEASE);
  }

  /**
   * Resolves when the message is committed, or refused because of what has changed meanwhile.
   * @throws CommitUnknownError when the database was lost before it could tell; QueueFullError when too many wait
   */
  accept(message: NewMessage): Promise<Acceptance> {
    return this.accepts.submit(message);
  }

  /** Takes up to `limit` due messages of one number for sending; of a number on hold only as a probe. */
  async claim(messagingAccountId: number, limit: number, probe: boolean): Promise<ClaimedMessage[]> {
    const now = this.clock.now();
    const { PROVIDER_TIMEOUT, UNKNOWN_OUTCOME_WINDOW } = this.config;
    // The client waits for the answer's headers and for its body, each for the time-out.
    const lease = CLAIM_LASTS + 2 * PROVIDER_TIMEOUT + UNKNOWN_OUTCOME_WINDOW * 1000;
    return this.database.run<ClaimedMessage>(probe ? outbox.CLAIM_PROBE : outbox.CLAIM, [
      now,
      messagingAccountId,
      limit,
      new Date(now.getTime() + lease),
      new Date(now.getTime() + PROBE_INTERVAL),
    ]);
  }

  /** Lets go what ended holds still keep, and one message of each held template that may be probed. */
  async releaseHeld(): Promise<void> {
    let released = RELEASE_BATCH;
    while (released === RELEASE_BATCH) {
      const values = [this.clock.now(), RELEASE_BATCH];
      const [result] = await this.database.run<{ released: number }>(outbox.RELEASE_HELD, values);
      released = result?.released ?? 0;
    }
  }

  /** Fails the authentication codes that have waited longer than they are good for. @returns how many */
  async expireCodes(): Promise<number> {
    const [result] = await this.database.run<{ expired: number }>(outbox.EXPIRE, [
      this.clock.now(),
      this.config.RETRY_BUDGET_AUTHENTICATION,
    ]);
    return result?.expired ?? 0;
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

  /** @returns false when the message is not the tenant's or no longer waiting */
  async cancel(tenantId: string, id: number): Promise<boolean> {
    const rows = await this.database.run(outbox.CANCEL, [this.clock.now(), id, tenantId]);
    return rows.length > 0;
  }

  /** Withdraws all messages of a campaign that still wait. @returns how many */
  async cancelCampaign(tenantId: string, campaignId: number): Promise<number> {
    for (let total = 0; ;) {
      const values = [this.clock.now(), campaignId, tenantId, CANCEL_BATCH];
      const [result] = await this.database.run<{ canceled: number }>(outbox.CANCEL_OF_CAMPAIGN, values);
      const canceled = result?.canceled ?? 0;
      total += canceled;
      if (canceled < CANCEL_BATCH) return total;
    }
  }

  /** Applies receipts in one statement; answers in their order. */
  async applyReceipts(
    receipts: Receipt[],
    database: Pick<Database, 'run'> = this.database,
  ): Promise<AppliedReceipt[]> {
    const rows = receipts.map((receipt, ordinal) => ({ ordinal, ...receipt }));
    return database.run<AppliedReceipt>(APPLY_RECEIPTS, [this.clock.now(), JSON.stringify(rows)]);
  }

  /** Resolves when every outcome that was handed in is committed. */
  async drained(): Promise<void> {
    await Promise.all(this.outcomes.map((outcome) => outcome.drained()));
  }

  private async acceptBatch(messages: NewMessage[]): Promise<(Acceptance | Promise<Acceptance>)[]> {
    const now = this.clock.now();
    const rows = messages.map((message, ordinal) => ({ ordinal, accept_token: randomUUID(), ...message }));
    try {
      return await this.database.commit<Acceptance>(ACCEPT, [now, JSON.stringify(rows)]);
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      const found = findAccepted(this.database, error, now, rows);
      return rows.map(async ({ accept_token }) => {
        const id = (await found).get(accept_token);
        return id === undefined ? { id: null, outcome: 'not_stored' } : { id, outcome: 'accepted' };
      });
    }
  }

  private outcome<Fields>(statement: Statement) {
    const group = new GroupCommit<ClaimReference & Fields, Applied>({
      commit: (items) => this.runBatch<ClaimReference & Fields, Applied & { id: number }>(statement, items),
      maxBatch: OUTCOME_BATCH,
    });
    this.outcomes.push(group);
    return (outcome: ClaimReference & Fields) => group.submit(outcome);
  }

  /** One row of the answer for each item, in their order. */
  private async runBatch<Item, Result>(statement: Statement, items: Item[]): Promise<Result[]> {
    const rows = items.map((item, ordinal) => ({ ordinal, ...item }));
    return this.database.run<Result>(statement, [this.clock.now(), JSON.stringify(rows)]);
  }
}
