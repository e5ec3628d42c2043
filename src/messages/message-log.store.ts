import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { CommitUnknownError } from '../database/database-errors.js';
import { GroupCommit } from '../database/group-commit.js';
import { GroupCommits } from '../database/group-commits.js';
import type { TemplateCategory, WireComponent } from '../provider/wire.js';
import type { OptOutScope } from '../recipients/domain/opt-out.js';
import { SpendLimitsService } from '../spending/spend-limits.service.js';
import type { ReachedLimit } from '../spending/spend-limit-reached.js';
import { ACCEPT, ACCEPT_LIMITED } from './accept.sql.js';
import { CANCEL, CANCEL_OF_CAMPAIGN } from './cancel.sql.js';
import { findAccepted } from './cut-acceptance.js';
import type { Expectation } from './domain/conditions.js';
import type { MessageError } from './domain/message-error.js';
import { FIND_TOLD, LOCK_TOLD } from './receipts/lock-told.sql.js';
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
  /** Of the template's content. */
  template_version: string;
  client_reference?: string | null | undefined;
  metadata?: Record<string, string> | null | undefined;
  valid_until?: Date | null | undefined;
  /** A decimal. */
  max_cost?: string | null | undefined;
  expect?: Expectation | null | undefined;
  /** That it came by; none for messages of the dashboard and of campaigns. */
  api_key_id?: string | undefined;
}

/** `not_stored`: the connection was lost on the way, and it is certain that the message was not committed. */
export type Acceptance =
  | { id: number; outcome: 'accepted' | 'template_changed' | 'key_taken' }
  | { id: number; outcome: 'opted_out'; opt_out_scope: OptOutScope }
  | { id: number; outcome: 'over_limit'; limits: ReachedLimit[] }
  | { id: null; outcome: 'not_stored' };

/** What is known of a message when the connection was lost. */
type Found = { id: number; outcome: 'accepted' } | { id: null; outcome: 'not_stored' };

/** A message of a tenant that has a limit, which this process had not heard of. */
interface LeftOut {
  id: number;
  outcome: 'limited';
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

const ACCEPTING = {
  maxBatch: 200,
  /** Milliseconds: sends that wait behind a commit that took longer get a 503. */
  patience: 2_000,
  /** Messages that wait to be accepted: a second's worth at full speed, and some 50 MB. */
  mostWaiting: 10_000,
};

const CANCEL_BATCH = 500;

/**
 * Makes messages, and changes those that nobody is sending: each method is one arrow of their life, one atomic statement of
 * accept.sql.ts, cancel.sql.ts or receipts.sql.ts. The other arrows are those of OutboxStore and OutcomesStore; ExpiryService
 * deletes old messages. What many callers ask for at once shares a commit.
 */
@Injectable()
export class MessageLogStore {
  private readonly accepts = new GroupCommit<NewMessage, Acceptance | LeftOut | Found>({
    ...ACCEPTING,
    commit: (messages) => this.acceptBatch<Acceptance | LeftOut>(messages, ACCEPT),
    concurrency: 2,
  });
  /** Of each tenant with limits of what may be spent: its messages wait for one another, and nobody else for them. */
  private readonly limited = new GroupCommits<NewMessage, Acceptance | Found>({
    ...ACCEPTING,
    commit: (messages) => this.acceptBatch<Acceptance>(messages, ACCEPT_LIMITED),
  });

  constructor(
    private readonly database: Database,
    private readonly spendLimits: SpendLimitsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the message is committed, or refused because of what has changed meanwhile.
   * @throws CommitUnknownError when the database was lost before it could tell; QueueFullError when too many wait
   */
  async accept(message: NewMessage): Promise<Acceptance> {
    const { tenant_id: tenantId } = message;
    if (await this.spendLimits.areSetFor(tenantId)) return this.limited.submit(tenantId, message);
    const acceptance = await this.accepts.submit(message);
    return acceptance.outcome === 'limited' ? this.limited.submit(tenantId, message) : acceptance;
  }

  /** @returns false when the message is not the tenant's or no longer waiting */
  async cancel(tenantId: string, id: number): Promise<boolean> {
    const rows = await this.database.run(CANCEL, [this.clock.now(), id, tenantId]);
    return rows.length > 0;
  }

  /** Withdraws all messages of a campaign that still wait. @returns how many */
  async cancelCampaign(tenantId: string, campaignId: number): Promise<number> {
    for (let total = 0; ;) {
      const values = [this.clock.now(), campaignId, tenantId, CANCEL_BATCH];
      const [result] = await this.database.run<{ canceled: number }>(CANCEL_OF_CAMPAIGN, values);
      const canceled = result?.canceled ?? 0;
      total += canceled;
      if (canceled < CANCEL_BATCH) return total;
    }
  }

  /**
   * Applies receipts in one statement; answers in their order.
   * @param connection of the transaction that this is part of, which keeps their messages locked to its end
   */
  async applyReceipts(receipts: Receipt[], connection: Queryable): Promise<AppliedReceipt[]> {
    const ids = await this.idsTold(receipts, connection);
    const accounts = new Set(receipts.map(({ business_account_id: id }) => id));
    if (ids.length > 0) await connection.run(LOCK_TOLD, [ids, ids[0], ids.at(-1), [...accounts]]);
    const rows = receipts.map((receipt, ordinal) => ({ ordinal, ...receipt }));
    return connection.run<AppliedReceipt>(APPLY_RECEIPTS, [this.clock.now(), JSON.stringify(rows)]);
  }

  /** The messages that receipts may be of, in the order of their ids. */
  private async idsTold(receipts: Receipt[], connection: Queryable): Promise<number[]> {
    const tagged = receipts.flatMap(({ message_log_id: id }) => id ?? []);
    const untagged = receipts.filter(({ message_log_id: id }) => id === null);
    const names = untagged.map(({ provider_message_id: name }) => name);
    const found = names.length > 0 ? await connection.run<{ id: number }>(FIND_TOLD, [names]) : [];
    return [...tagged, ...found.map(({ id }) => id)].toSorted((a, b) => a - b);
  }

  private async acceptBatch<Answer>(
    messages: NewMessage[],
    statement: Statement,
  ): Promise<(Answer | Promise<Found>)[]> {
    const now = this.clock.now();
    const rows = messages.map((message, ordinal) => ({ ordinal, accept_token: randomUUID(), ...message }));
    try {
      return await this.database.commit<Answer>(statement, [now, JSON.stringify(rows)]);
    } catch (error) {
      if (!(error instanceof CommitUnknownError)) throw error;
      const found = findAccepted(this.database, error, now, rows);
      return rows.map(async ({ accept_token }): Promise<Found> => {
        const id = (await found).get(accept_token);
        return id === undefined ? { id: null, outcome: 'not_stored' } : { id, outcome: 'accepted' };
      });
    }
  }
}
