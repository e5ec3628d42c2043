import { Injectable } from '@nestjs/common';
import type { OpenMove } from '../accounts/number-moves.store.js';
import { Clock } from '../common/clock.js';
import { Database, type Queryable } from '../database/database.js';
import { HoldsService } from './holds/holds.service.js';
import { REBIND } from './outbox.sql.js';
import type { ClaimedMessage } from './outbox.store.js';
import * as sql from './template-binding.sql.js';

/** Messages of one transaction: a lock on them is held for some tens of milliseconds. */
const BATCH = 2_000;

/** Messages that are read in one look at the queue. */
const READ_AHEAD = 50_000;

/** A message that waits with a template of a business account that its number has left. */
interface Stray {
  id: number;
  template_id: number;
  due_at: Date;
}

/** What messages of a former template get. */
interface Target {
  former_id: number;
  template_id: number;
  hold_id: number | null;
  /** Whether the business account has a template of that name and language, whatever its status. */
  is_there: boolean;
}

/**
 * Gives messages of a number that has moved to another business account the templates of that account, by name and
 * language. Those for which it has none that can be sent wait under a hold until it has.
 *
 * It may be done by several at once, and again: what is bound is left alone. What this does not see, because it was just
 * claimed or is accepted later by a process whose caches are old, is seen when it is claimed (`rebind`).
 */
@Injectable()
export class TemplateBindingService {
  constructor(
    private readonly database: Database,
    private readonly holds: HoldsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Binds all that waits of the number, and adds to what its move has come to.
   * @param mayGoOn asked before each batch
   * @returns false when it may not go on: there may be more
   */
  async bindWaiting(move: OpenMove, mayGoOn = () => true): Promise<boolean> {
    const targets = new Map<number, Target>();
    let inThisPass: number | null;
    do {
      inThisPass = await this.bindPass(move, targets, mayGoOn);
      if (inThisPass === null) return false;
    } while (inThisPass > 0);
    return true;
  }

  /** Puts claimed strays back into the queue, bound or held. No call was made for them. */
  async rebind(messages: ClaimedMessage[]): Promise<void> {
    const [first] = messages;
    if (!first) return;
    await this.database.transaction(async (connection) => {
      const formerIds = [...new Set(messages.map(({ template_id }) => template_id))];
      const found = await this.targetsOf(first.messaging_account_id, formerIds, connection);
      const targets = new Map(found.map((target) => [target.former_id, target]));
      const strays = messages.map(({ id, attempts, template_id }) => ({
        id,
        attempt: attempts,
        ...targets.get(template_id),
      }));
      await connection.run(REBIND, [this.clock.now(), JSON.stringify(strays)]);
    });
  }

  /** Lets go the messages whose template the business account has by now. */
  async releaseFound(): Promise<void> {
    const found = await this.database.run<{ hold_id: number; template_id: number }>(sql.FOUND);
    for (const { hold_id, template_id } of found) {
      let released = BATCH;
      while (released === BATCH) {
        const values = [hold_id, template_id, BATCH];
        const [result] = await this.database.run<{ released: number }>(sql.RELEASE_FOUND, values);
        released = result?.released ?? 0;
      }
      await this.holds.lift(hold_id, 'templates');
    }
  }

  /** Goes through the queue once. @returns how many were bound or held, null when it may not go on */
  private async bindPass(
    move: OpenMove,
    targets: Map<number, Target>,
    mayGoOn: () => boolean,
  ): Promise<number | null> {
    const number = move.messaging_account_id;
    let total = 0;
    // Bound messages stay where they are in the queue: each look begins where the last one has ended.
    let start: Date | '-infinity' = '-infinity';
    for (let bound = READ_AHEAD; bound > 0; total += bound) {
      const held = await this.database.run<Stray>(sql.HELD_STRAYS, [number, READ_AHEAD]);
      const waiting: Stray[] = await this.database.run(sql.WAITING_STRAYS, [number, start, READ_AHEAD]);
      const strays = [...held, ...waiting];
      bound = 0;
      for (let i = 0; i < strays.length; i += BATCH) {
        if (!mayGoOn()) return null;
        bound += await this.bindBatch(move, strays.slice(i, i + BATCH), targets);
      }
      start = waiting.at(-1)?.due_at ?? start;
    }
    return total;
  }

  /** @returns how many were bound or held */
  private async bindBatch(move: OpenMove, strays: Stray[], targets: Map<number, Target>): Promise<number> {
    return this.database.transaction(async (connection) => {
      const unknown = new Set(strays.map(({ template_id }) => template_id).filter((id) => !targets.has(id)));
      if (unknown.size > 0)
        for (const target of await this.targetsOf(move.messaging_account_id, [...unknown], connection))
          targets.set(target.former_id, target);
      const values = [JSON.stringify([...targets.values()]), strays.map(({ id }) => id)];
      const [result] = await connection.run<{ bound: number; unbound: number }>(sql.BIND, values);
      const { bound = 0, unbound = 0 } = result ?? {};
      await connection.run(sql.NOTE_BOUND, [move.id, bound, unbound, this.clock.now()]);
      return bound + unbound;
    });
  }

  /** Makes what is missing: a template to put the hold on, and the hold. */
  private async targetsOf(number: number, formerIds: number[], connection: Queryable): Promise<Target[]> {
    const now = this.clock.now();
    await connection.run(sql.LOCK_ACCOUNT, [number]);
    await connection.run(sql.ADD_MISSING, [number, formerIds, now]);
    await connection.run(sql.HOLD_MISSING, [number, formerIds, now]);
    return connection.run<Target>(sql.TARGETS, [number, formerIds]);
  }
}
