import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { GroupCommit } from '../database/group-commit.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import type { Expectation } from '../messages/domain/conditions.js';
import type { TemplateCategory, WireComponent } from '../provider/wire.js';
import type { OptOutScope } from '../recipients/domain/opt-out.js';
import { CLAIMED } from './claimed.sql.js';
import { PROBE_INTERVAL } from './outcome.js';
import { CLAIM, CLAIM_PROBE, EXPIRE, EXPIRE_BATCH, RELEASE_HELD } from './outbox.sql.js';

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
  /** When it was to be sent this time. */
  due_at: Date;
  /** When it was tried for the first time, or for the first time after the last hold. */
  first_attempt_at: Date;
  /** After it, nobody wants it any more. */
  valid_until: Date | null;
  /** A decimal. */
  max_cost: string | null;
  expect: Expectation | null;
  /** What its recipient wants no more; null for one who has not opted out. */
  opt_out_scope: OptOutScope | null;
}

type Content = Pick<
  ClaimedMessage,
  | 'id'
  | 'tenant_id'
  | 'messaging_account_id'
  | 'phone'
  | 'template_name'
  | 'language'
  | 'components'
  | 'conversation_category'
  | 'wanted_at'
  | 'valid_until'
  | 'max_cost'
  | 'expect'
  | 'opt_out_scope'
>;
type Claim = Omit<ClaimedMessage, Exclude<keyof Content, 'id'>>;

/**
 * Milliseconds after its claim was asked for in which a message has to leave for the provider. Its lease allows for that:
 * a worker that stalled for longer must not send what another may have been given.
 */
export const CLAIM_LASTS = 5_000;

/** Claims under way at the same time, each for several permits. */
const CLAIMS = 2;

/** Permits of one claim at most. */
const PERMITS = 50;

/** Messages that are let go of in one statement at most. */
const RELEASE_BATCH = 1_000;

/** Some messages of a number, to be claimed. */
interface Permitted {
  number: number;
  limit: number;
}

/** Decides what goes next of what waits: each method is one arrow, one atomic statement of outbox.sql.ts. */
@Injectable()
export class OutboxStore {
  /** Permits that are used at the same time share a claim: very many numbers may have one message each. */
  private readonly claims = new GroupCommit<Permitted, ClaimedMessage[]>({
    commit: (permits) => this.claimAll(CLAIM, permits),
    maxBatch: PERMITS,
    concurrency: CLAIMS,
    patience: CLAIM_LASTS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly metrics: MessageMetrics,
  ) {}

  /** Takes up to `limit` due messages of one number for sending; of a number on hold only as a probe. */
  async claim(number: number, limit: number, probe: boolean): Promise<ClaimedMessage[]> {
    if (!probe) return this.claims.submit({ number, limit });
    const [claimed] = await this.claimAll(CLAIM_PROBE, [{ number, limit }]);
    return claimed!;
  }

  /** @returns what each permit has got, in their order */
  private async claimAll(statement: Statement, permits: Permitted[]): Promise<ClaimedMessage[][]> {
    const limits = new Map<number, number>();
    for (const { number, limit } of permits) limits.set(number, (limits.get(number) ?? 0) + limit);
    const messages = new Map<number, ClaimedMessage[]>([...limits.keys()].map((number) => [number, []]));
    for (const message of await this.take(statement, limits))
      messages.get(message.messaging_account_id)?.push(message);
    return permits.map(({ number, limit }) => messages.get(number)!.splice(0, limit));
  }

  /** @param limits how many messages of each number */
  private async take(statement: Statement, limits: Map<number, number>): Promise<ClaimedMessage[]> {
    const now = this.clock.now();
    const { PROVIDER_TIMEOUT, UNKNOWN_OUTCOME_WINDOW } = this.config;
    // The client waits for the answer's headers and for its body, each for the time-out.
    const lease = CLAIM_LASTS + 2 * PROVIDER_TIMEOUT + UNKNOWN_OUTCOME_WINDOW * 1000;
    const claims = await this.database.run<Claim>(statement, [
      now,
      [...limits.keys()],
      [...limits.values()],
      new Date(now.getTime() + lease),
      new Date(now.getTime() + PROBE_INTERVAL),
    ]);
    this.metrics.claimed(claims.length);
    if (claims.length === 0) return [];
    const contents = await this.database.run<Content>(CLAIMED, [claims.map(({ id }) => id)]);
    const claimOf = new Map(claims.map((claim) => [claim.id, claim]));
    return contents.map((content) => ({ ...content, ...(claimOf.get(content.id) as Claim) }));
  }

  /** Lets go what ended holds still keep, and one message of each held template that may be probed. */
  async releaseHeld(): Promise<void> {
    let released = RELEASE_BATCH;
    while (released === RELEASE_BATCH) {
      const values = [this.clock.now(), RELEASE_BATCH];
      const [result] = await this.database.run<{ released: number }>(RELEASE_HELD, values);
      released = result?.released ?? 0;
    }
  }

  /** Fails what waits and nobody wants any more. @returns how many */
  async expire(): Promise<number> {
    for (let total = 0; ;) {
      const values = [this.clock.now(), this.config.RETRY_BUDGET_AUTHENTICATION];
      const [result] = await this.database.run<{ expired: number }>(EXPIRE, values);
      const expired = result?.expired ?? 0;
      if (expired > 0) this.metrics.unwanted('EXPIRED', expired);
      total += expired;
      if (expired < EXPIRE_BATCH) return total;
    }
  }
}
