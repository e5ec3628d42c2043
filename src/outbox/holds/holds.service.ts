import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Database, type Queryable, type Statement } from '../../database/database.js';
import { MESSAGE_DUE } from '../../database/notifications.js';
import type { ProviderErrorClass } from '../../provider/provider-error.js';
import { ACCOUNT_HOLD_CAUSES, type AccountHoldCause } from './account-hold.js';
import type { MessageError } from '../../messages/domain/message-error.js';
import { type HoldScope, PROBE_INTERVAL } from '../outcome.js';
import { Hold } from './hold.entity.js';
import { tellHolds } from './hold-events.sql.js';
import { shardSql } from '../../shards/shards.js';
import type { ClaimedMessage } from '../outbox.store.js';
import { TEMPLATE_MISSING } from '../template-binding.sql.js';

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
    const rows = await (receipt ?? this.database).run<{ id: number }>(PLACE, [
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
    const rows = await this.database.run(BEGAN, [scope, targetId, message.id, message.messaging_account_id]);
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
    const rows = await connection.run<{ id: number }>(PLACE_ON, [
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
    return this.end(LIFT_CAUSED, by, [scope, targetId, causes], connection);
  }

  /** Takes the turn to probe a hold. @returns false when it is not time yet, or another worker was faster */
  async takeProbe(id: number): Promise<boolean> {
    const rows = await this.database.run(TAKE_PROBE, [id, this.clock.now(), this.nextProbe()]);
    return rows.length > 0;
  }

  /** Notes that the message tries the holds on its template, number and business account, before it does. */
  async noteProbe(message: HeldMessage): Promise<void> {
    const targets = SCOPES.map((scope) => targetOf(message, scope));
    await this.database.run(NOTE_PROBE, [SCOPES, targets, message.id]);
  }

  /** Ends the holds that the message has tried, after the provider took it; those of receipts wait for its receipt. */
  async liftAfterProbe(message: HeldMessage): Promise<void> {
    await this.end(LIFT_PROBED, 'probe', [[message.id], false]);
  }

  /** Ends the holds that one of these messages has tried, after its receipt said that it went through. */
  async liftAfterReceipts(ids: number[], connection: Queryable): Promise<void> {
    await this.end(LIFT_PROBED, 'probe', [ids, true], connection);
  }

  /** Lets one message try at once whether the cause of the hold on this target is gone, if one may try it at all. */
  async probeNow(scope: HoldScope, targetId: string): Promise<void> {
    await this.database.run(PROBE_NOW, [scope, targetId, this.clock.now()]);
  }

  /** Open holds, oldest first. */
  list(): Promise<Hold[]> {
    return this.holds.find({ where: { liftedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Ends a hold, so that its messages go out. @returns false when there is no open hold of that id */
  async lift(id: number, by: string): Promise<boolean> {
    return this.end(LIFT, by, [id]);
  }

  /**
   * Ends holds on templates when the provider has told since that their messages may go, or that they never can: these
   * fail, and are refunded. While a template is under review, none of its messages tries the hold, as it would be lost.
   */
  async settleTemplates(): Promise<void> {
    await this.end(LIFT_SETTLED, 'templates', []);
    await this.database.run(PUT_OFF_PROBES, [this.clock.now(), this.nextProbe()]);
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

function targetOf(message: HeldMessage, scope: HoldScope): string {
  if (scope === 'template') return String(message.template_id);
  if (scope === 'number') return String(message.messaging_account_id);
  return message.business_account_id;
}

const PLACE: Statement = {
  name: 'hold_place',
  text: `
    WITH placed AS (
      INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at, message_log_id, by_receipt)
      SELECT $1::uuid, $2::text, $3::text, $4::text, $5::jsonb, $6::timestamptz, $7::timestamptz, $8::bigint, $9::boolean
      FROM messaging_accounts n WHERE n.id = $10 AND ($2 <> 'number' OR n.business_account_id = $11)
      ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO NOTHING RETURNING *
    ), told AS (${tellHolds('placed', '$6::timestamptz')}
    )
    SELECT id FROM placed`,
};

/** Others went through where one of them ended the hold as its probe, or where the number has sent since it ended. */
const BEGAN: Statement = {
  name: 'hold_began',
  text: `
    SELECT 1 FROM holds h
    WHERE h.scope = $1 AND h.target_id = $2 AND h.message_log_id = $3 AND h.lifted_at IS NOT NULL
      AND (h.lifted_by = 'probe' OR EXISTS (
        SELECT FROM number_activity a WHERE a.messaging_account_id = $4 AND a.slot >= h.lifted_at))
      AND NOT EXISTS (
        SELECT FROM holds begun WHERE begun.scope = $1 AND begun.target_id = $2 AND begun.lifted_at IS NULL)
    LIMIT 1`,
};

const PROBE_NOW: Statement = {
  name: 'hold_probe_now',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE scope = $1 AND target_id = $2 AND lifted_at IS NULL AND isfinite(next_probe_at)`,
};

const NOTE_PROBE: Statement = {
  name: 'hold_note_probe',
  text: `
    UPDATE holds SET probe_message_id = $3
    WHERE lifted_at IS NULL AND (scope, target_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
};

/** $8 are the causes in the order of their weight; any other is lighter. One that is only repeated is not told again. */
const PLACE_ON: Statement = {
  name: 'hold_place_on',
  text: `
    WITH placed AS (
      INSERT INTO holds AS h (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
      SELECT $1::uuid, $2::text, $3::text, $4::text, $5::jsonb, $6::timestamptz, $7::timestamptz
      WHERE NOT EXISTS (
        SELECT FROM holds ended
        WHERE ended.scope = $2 AND ended.target_id = $3 AND ended.cause = $4 AND ended.lifted_at >= $9::timestamptz)
      ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO UPDATE SET
        cause = excluded.cause, error = excluded.error, next_probe_at = excluded.next_probe_at,
        message_log_id = NULL, by_receipt = false, probe_message_id = NULL
      WHERE array_position($8::text[], excluded.cause) >= coalesce(array_position($8::text[], h.cause), 0)
      RETURNING *
    ), told AS (${tellHolds('placed WHERE (id, cause) NOT IN (SELECT id, cause FROM holds)', '$6::timestamptz')}
    )
    SELECT id FROM placed`,
};

const TAKE_PROBE: Statement = {
  name: 'hold_take_probe',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE id = $1 AND lifted_at IS NULL AND next_probe_at <= $2 RETURNING id`,
};

/** The template `t` of an open hold `h`; not of a template that is missing, which ends when that is found. */
const ON_TEMPLATE = `t.id = CASE h.scope WHEN 'template' THEN h.target_id::integer END
        AND h.lifted_at IS NULL AND h.cause <> '${TEMPLATE_MISSING}'`;

/** Well before they are due, as this is done once a second. */
const PUT_OFF_PROBES: Statement = {
  name: 'hold_put_off_probes',
  text: `
    UPDATE holds h SET next_probe_at = $2 FROM templates t
    WHERE ${ON_TEMPLATE} AND t.status = 'PENDING' AND t.removed_at IS NULL
      AND h.next_probe_at <= $1::timestamptz + interval '20 seconds'`,
};

/**
 * Ends the open hold that fits, and tells the workers of the numbers that were under it, in notifications of 500 ids: one
 * may have 8,000 bytes. What a template's hold keeps is released by RELEASE_HELD, which tells of it then.
 */
const lift = (name: string, which: string): Statement => ({
  name,
  text: `
    WITH lifted AS (
      UPDATE holds SET lifted_at = $1, lifted_by = $2 WHERE lifted_at IS NULL AND ${which} RETURNING *
    ), event AS (${tellHolds('lifted', '$1::timestamptz')}
    ), free AS (
      SELECT n.id, ${shardSql('n.id')} AS shard, row_number() OVER (PARTITION BY ${shardSql('n.id')}) / 500 AS part
      FROM lifted l JOIN messaging_accounts n
        ON (l.scope = 'number' AND n.id::text = l.target_id)
        OR (l.scope = 'business_account' AND n.business_account_id::text = l.target_id)
    ), told AS MATERIALIZED (
      SELECT pg_notify('${MESSAGE_DUE}' || shard, string_agg(id::text, ',')) FROM free GROUP BY shard, part
    )
    SELECT id, (SELECT count(*) FROM told) AS told FROM lifted`,
});

const LIFT = lift('hold_lift', 'id = $3');
const LIFT_PROBED = lift('hold_lift_probed', 'probe_message_id = ANY($3::bigint[]) AND by_receipt = $4');
const LIFT_SETTLED = lift(
  'hold_lift_settled',
  `id IN (
      SELECT h.id FROM holds h JOIN templates t ON ${ON_TEMPLATE}
      WHERE t.removed_at IS NOT NULL OR (t.status_changed_at > h.created_at AND (
        t.status IN ('REJECTED', 'DISABLED')
        OR (t.status = 'APPROVED' AND t.provider_status IN ('APPROVED', 'REINSTATED'))))
    )`,
);
const LIFT_CAUSED = lift('hold_lift_caused', 'scope = $3 AND target_id = $4 AND cause = ANY($5::text[])');
