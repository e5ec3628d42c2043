import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { CHANNELS } from '../database/notifications.js';
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
    return this.end(LIFT, [id, this.clock.now(), by]);
  }

  /** Ends the hold on this target, if there is one. */
  async liftFor(scope: HoldScope, targetId: string, by: string): Promise<boolean> {
    return this.end(LIFT_FOR, [scope, targetId, this.clock.now(), by]);
  }

  private nextProbe(): Date {
    return new Date(this.clock.now().getTime() + PROBE_INTERVAL);
  }

  private async end(statement: Statement, values: unknown[]): Promise<boolean> {
    const rows = await this.database.run<{ id: number }>(statement, values);
    for (const { id } of rows) this.logger.log({ message: 'Hold lifted', hold_id: id, by: values.at(-1) });
    if (rows.length > 0) await this.database.notify(CHANNELS.messageDue, '');
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

const LIFT: Statement = {
  name: 'hold_lift',
  text: 'UPDATE holds SET lifted_at = $2, lifted_by = $3 WHERE id = $1 AND lifted_at IS NULL RETURNING id',
};

const LIFT_FOR: Statement = {
  name: 'hold_lift_for',
  text: `
    UPDATE holds SET lifted_at = $3, lifted_by = $4
    WHERE scope = $1 AND target_id = $2 AND lifted_at IS NULL RETURNING id`,
};
