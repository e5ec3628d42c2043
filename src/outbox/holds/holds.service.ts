import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Database, type Queryable, type Statement } from '../../database/database.js';
import type { ProviderErrorClass } from '../../provider/provider-error.js';
import { ACCOUNT_HOLD_CAUSES, type AccountHoldCause } from './account-hold.js';
import type { MessageError } from '../../messages/domain/message-error.js';
import { type HoldScope, PROBE_INTERVAL } from '../outcome.js';
import { Hold } from './hold.entity.js';
import * as sql from './holds.sql.js';
import type { ClaimedMessage } from '../outbox.store.js';

/** What tells which template, number and business account a message is of, or was when it was sent. */
export type HeldMessage = Pick<
  ClaimedMessage,
  'id' | 'tenant_id' | 'messaging_account_id' | 'business_account_id' | 'template_id'
>;

const SCOPES: HoldScope[] = ['template', 'number', 'business_account'];

/** What a hold keeps from being sent. */
export interface HoldTarget {
  tenantId: string;
  scope: HoldScope;
  /** The id of the row of that scope. */
  targetId: string;
}

/** Holds: what makes messages wait although they are due, and its end. */
@Injectable()
export class HoldsService {
  private readonly logger = new Logger(HoldsService.name);

  constructor(
    @InjectRepository(Hold) private readonly holds: Repository<Hold>,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Holds what the refusal is about; once, however many messages meet it. Not the number where it has left the business
   * account that the refusal came under: it says nothing of the number under the new one.
   * @param receipt the connection of the transaction in which a receipt has told of it, rather than an answer
   */
  async place(
    message: HeldMessage,
    scope: HoldScope,
    { errorClass, ...error }: { errorClass: ProviderErrorClass } & MessageError,
    receipt?: Queryable,
  ): Promise<void> {
    const targetId = targetOf(message, scope);
    const rows = await (receipt ?? this.database).run<{ id: number }>(sql.PLACE, [
      message.tenant_id,
      scope,
      targetId,
      errorClass,
      JSON.stringify(error),
      this.clock.now(),
      this.nextProbe(),
      message.id,
      receipt !== undefined,
      message.messaging_account_id,
      message.business_account_id,
    ]);
    if (rows[0])
      this.logger.error({ message: 'Hold placed', hold_id: rows[0].id, scope, target: targetId, error });
  }

  /**
   * Whether the message would begin a second hold on the same target, although others went through since the first: then
   * it is the message that the provider does not take. Where another message has begun one, it would not.
   */
  async beginsAgain(message: HeldMessage, scope: HoldScope): Promise<boolean> {
    const targetId = targetOf(message, scope);
    const rows = await this.database.run(sql.BEGAN, [
      scope,
      targetId,
      message.id,
      message.messaging_account_id,
    ]);
    return rows.length > 0;
  }

  /**
   * Holds what the provider tells of itself, without a message that was refused; in the place of a lesser hold.
   * @param hold.until when one message may try whether the cause is gone; null: none does, since it would be lost
   * @param hold.occurredAt what ended after that does not begin again
   * @param connection of the transaction that this is part of
   */
  async placeOn(
    { tenantId, scope, targetId }: HoldTarget,
    hold: {
      cause: AccountHoldCause;
      title: string;
      details: string | null;
      until: Date | null;
      occurredAt: Date;
    },
    connection: Queryable = this.database,
  ): Promise<void> {
    const { cause, title, details, until, occurredAt } = hold;
    const error = { code: null, title, details };
    const rows = await connection.run<{ id: number }>(sql.PLACE_ON, [
      tenantId,
      scope,
      targetId,
      cause,
      JSON.stringify(error),
      this.clock.now(),
      until ?? 'infinity',
      ACCOUNT_HOLD_CAUSES,
      occurredAt,
    ]);
    if (rows[0])
      this.logger.error({ message: 'Hold placed', hold_id: rows[0].id, scope, target: targetId, error });
  }

  /** Ends the hold on this target if it has one of these causes. */
  async liftCaused(
    { scope, targetId }: Pick<HoldTarget, 'scope' | 'targetId'>,
    causes: readonly AccountHoldCause[],
    by: string,
    connection: Queryable = this.database,
  ): Promise<boolean> {
    return this.end(sql.LIFT_CAUSED, by, [scope, targetId, causes], connection);
  }

  /** Takes the turn to probe a hold. @returns false when it is not time yet, or another worker was faster */
  async takeProbe(id: number): Promise<boolean> {
    const rows = await this.database.run(sql.TAKE_PROBE, [id, this.clock.now(), this.nextProbe()]);
    return rows.length > 0;
  }

  /** Notes that the message tries the holds on its template, number and business account, before it does. */
  async noteProbe(message: HeldMessage): Promise<void> {
    await this.database.run(sql.NOTE_PROBE, [SCOPES, targetsOf(message), message.id]);
  }

  /** Lets another message try the holds on its template, number and business account at once: this one could not. */
  async returnProbe(message: HeldMessage): Promise<void> {
    const values = [SCOPES, targetsOf(message), this.clock.now(), this.nextProbe()];
    await this.database.run(sql.RETURN_PROBE, values);
  }

  /** Ends the holds that the message has tried, after the provider took it; those of receipts wait for its receipt. */
  async liftAfterProbe(message: HeldMessage): Promise<void> {
    await this.end(sql.LIFT_PROBED, 'probe', [[message.id], false]);
  }

  /** Ends the holds that one of these messages has tried, after its receipt said that it went through. */
  async liftAfterReceipts(ids: number[], connection: Queryable): Promise<void> {
    await this.end(sql.LIFT_PROBED, 'probe', [ids, true], connection);
  }

  /** Lets one message try at once whether the cause of the hold on this target is gone, if one may try it at all. */
  async probeNow(scope: HoldScope, targetId: string): Promise<void> {
    await this.database.run(sql.PROBE_NOW, [scope, targetId, this.clock.now()]);
  }

  /** Open holds, oldest first. */
  list(): Promise<Hold[]> {
    return this.holds.find({ where: { liftedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Ends a hold, so that its messages go out. @returns false when there is no open hold of that id */
  async lift(id: number, by: string): Promise<boolean> {
    return this.end(sql.LIFT, by, [id]);
  }

  /**
   * Ends holds on templates when the provider has told since that their messages may go, or that they never can: these
   * fail, and are refunded. While a template is under review, none of its messages tries the hold, as it would be lost.
   */
  async settleTemplates(): Promise<void> {
    await this.end(sql.LIFT_SETTLED, 'templates', []);
    await this.database.run(sql.PUT_OFF_PROBES, [this.clock.now(), this.nextProbe()]);
  }

  private nextProbe(): Date {
    return new Date(this.clock.now().getTime() + PROBE_INTERVAL);
  }

  private async end(
    statement: Statement,
    by: string,
    which: unknown[],
    connection: Queryable = this.database,
  ): Promise<boolean> {
    const rows = await connection.run<{ id: number }>(statement, [this.clock.now(), by, ...which]);
    for (const { id } of rows) this.logger.log({ message: 'Hold lifted', hold_id: id, by });
    return rows.length > 0;
  }
}

const targetsOf = (message: HeldMessage) => SCOPES.map((scope) => targetOf(message, scope));

function targetOf(message: HeldMessage, scope: HoldScope): string {
  if (scope === 'template') return String(message.template_id);
  if (scope === 'number') return String(message.messaging_account_id);
  return message.business_account_id;
}
