import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import type { ProviderError } from '../provider/provider-error.js';
import { type HoldScope, PROBE_INTERVAL } from './domain/outcome.js';
import { Hold } from './hold.entity.js';
import type { ClaimedMessage } from './message-log.store.js';

/** Holds: what makes messages wait although they are due, and its end. */
@Injectable()
export class HoldsService {
  private readonly logger = new Logger(HoldsService.name);

  constructor(
    @InjectRepository(Hold) private readonly holds: Repository<Hold>,
    private readonly accounts: AccountsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Holds what the refusal is about; once, however many messages meet it. */
  async place(message: ClaimedMessage, scope: HoldScope, refusal: ProviderError): Promise<void> {
    const targetId = await this.targetOf(message, scope);
    const error = { code: refusal.code, title: refusal.title, details: refusal.details };
    const rows = await this.database.run<{ id: number }>(PLACE, [
      message.tenant_id,
      scope,
      targetId,
      refusal.errorClass,
      JSON.stringify(error),
      this.clock.now(),
      this.nextProbe(),
    ]);
    if (rows[0])
      this.logger.error({ message: 'Hold placed', hold_id: rows[0].id, scope, target: targetId, error });
  }

  /** Takes the turn to probe a hold. @returns false when it is not time yet, or another worker was faster */
  async takeProbe(id: number): Promise<boolean> {
    const rows = await this.database.run(TAKE_PROBE, [id, this.clock.now(), this.nextProbe()]);
    return rows.length > 0;
  }

  /** Ends the holds on the message's template, number and business account, after it went through as a probe. */
  async liftAfterProbe(message: ClaimedMessage): Promise<void> {
    for (const scope of ['template', 'number', 'business_account'] as const) {
      await this.liftFor(scope, await this.targetOf(message, scope), 'probe');
    }
  }

  /** Open holds, oldest first. */
  list(): Promise<Hold[]> {
    return this.holds.find({ where: { liftedAt: IsNull() }, order: { id: 'ASC' } });
  }

  /** Ends a hold, so that its messages go out. @returns false when there is no open hold of that id */
  async lift(id: number, by: string): Promise<boolean> {
    return this.end(LIFT, by, [id]);
  }

  /** Ends the hold on this target, if there is one. */
  async liftFor(scope: HoldScope, targetId: string, by: string): Promise<boolean> {
    return this.end(LIFT_FOR, by, [scope, targetId]);
  }

  private nextProbe(): Date {
    return new Date(this.clock.now().getTime() + PROBE_INTERVAL);
  }

  private async end(statement: Statement, by: string, which: unknown[]): Promise<boolean> {
    const rows = await this.database.run<{ id: number }>(statement, [this.clock.now(), by, ...which]);
    for (const { id } of rows) this.logger.log({ message: 'Hold lifted', hold_id: id, by });
    return rows.length > 0;
  }

  private async targetOf(message: ClaimedMessage, scope: HoldScope): Promise<string> {
    if (scope === 'template') return String(message.template_id);
    if (scope === 'number') return String(message.messaging_account_id);
    const account = await this.accounts.findById(message.messaging_account_id);
    return account?.businessAccountId ?? '';
  }
}

const PLACE: Statement = {
  name: 'hold_place',
  text: `
    INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id`,
};

const TAKE_PROBE: Statement = {
  name: 'hold_take_probe',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE id = $1 AND lifted_at IS NULL AND next_probe_at <= $2 RETURNING id`,
};

/**
 * Ends the open hold that fits, and tells the workers of the numbers that were under it, in notifications of 500 ids: one
 * may have 8,000 bytes. What a template's hold keeps is released by RELEASE_HELD, which tells of it then.
 */
const lift = (name: string, which: string): Statement => ({
  name,
  text: `
    WITH lifted AS (
      UPDATE holds SET lifted_at = $1, lifted_by = $2 WHERE lifted_at IS NULL AND ${which} RETURNING id, scope, target_id
    ), free AS (
      SELECT n.id, row_number() OVER () / 500 AS part FROM lifted l JOIN messaging_accounts n
        ON (l.scope = 'number' AND n.id::text = l.target_id)
        OR (l.scope = 'business_account' AND n.business_account_id::text = l.target_id)
    ), told AS MATERIALIZED (
      SELECT pg_notify('message_due', string_agg(id::text, ',')) FROM free GROUP BY part
    )
    SELECT id, (SELECT count(*) FROM told) AS told FROM lifted`,
});

const LIFT = lift('hold_lift', 'id = $3');
const LIFT_FOR = lift('hold_lift_for', 'scope = $3 AND target_id = $4');
