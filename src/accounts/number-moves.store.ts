import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { SharedCaches } from '../database/shared-cache.js';
import { ACCOUNT_CACHES as CACHES } from './account-caches.js';
import type { SendingAccount } from './accounts.service.js';
import { registeredOnce } from './registered-once.js';

/** For how long receipts under the former business account count after a move. */
const RECEIPTS_FOR = '30 days';

/** A move that is under way, or was broken off. */
export interface OpenMove {
  id: number;
  messaging_account_id: number;
  to_business_account_id: string;
}

/** The result of a move: how many waiting messages have a template of the new account, and how many have none. */
export interface MoveResult {
  bound: number;
  unbound: number;
}

/** Moves of numbers from one business account to another. */
@Injectable()
export class NumberMovesStore {
  constructor(
    private readonly database: Database,
    private readonly caches: SharedCaches,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves the number: from this commit on, everything is sent by the new business account.
   * @param phoneNumberId the number's id at the provider from now on; null: it stays the same
   * @returns null when the number is in that account already
   * @throws ApiError VALIDATION_FAILED when the phone number id is another number's
   */
  async begin(
    { id, apiId, tenantId }: Pick<SendingAccount, 'id' | 'apiId' | 'tenantId'>,
    toBusinessAccountId: string,
    phoneNumberId: string | null,
  ): Promise<OpenMove | null> {
    const values = [id, toBusinessAccountId, phoneNumberId, this.clock.now()];
    return registeredOnce(() =>
      this.database.transaction(async (connection) => {
        const [move] = await connection.run<OpenMove>(BEGIN, values);
        if (!move) return null;
        await this.caches.changed(CACHES.numbersByApiId, apiId, connection);
        await this.caches.changed(CACHES.numbersById, String(id), connection);
        await this.caches.changed(CACHES.onlyNumbers, tenantId, connection);
        return move;
      }),
    );
  }

  /** The number's move that has not been finished. */
  async findOpen(messagingAccountId: number): Promise<OpenMove | null> {
    const [move] = await this.database.run<OpenMove>(OPEN, [messagingAccountId]);
    return move ?? null;
  }

  /** Unfinished moves on which nobody has worked since then. */
  async abandoned(since: Date): Promise<OpenMove[]> {
    return this.database.run<OpenMove>(ABANDONED, [since]);
  }

  /** Notes that all waiting messages are bound or held. */
  async finish(id: number): Promise<MoveResult> {
    const [result] = await this.database.run<MoveResult>(FINISH, [id, this.clock.now()]);
    return result as MoveResult;
  }
}

const COLUMNS = 'id, messaging_account_id, to_business_account_id';

const BEGIN: Statement = {
  name: 'number_move_begin',
  text: `
    WITH former AS MATERIALIZED (
      SELECT id, business_account_id, phone_number_id FROM messaging_accounts
      WHERE id = $1 AND business_account_id <> $2 FOR UPDATE
    ), moved AS (
      UPDATE messaging_accounts n SET business_account_id = $2, read_due_at = now(),
        phone_number_id = coalesce($3, n.phone_number_id)
      FROM former f WHERE n.id = f.id
    )
    INSERT INTO number_moves (messaging_account_id, from_business_account_id, to_business_account_id,
      from_phone_number_id, moved_at, receipts_until, worked_at)
    SELECT id, business_account_id, $2, phone_number_id, $4::timestamptz,
      $4::timestamptz + interval '${RECEIPTS_FOR}', $4::timestamptz
    FROM former RETURNING ${COLUMNS}`,
};

const OPEN: Statement = {
  name: 'number_move_open',
  text: `SELECT ${COLUMNS} FROM number_moves WHERE messaging_account_id = $1 AND finished_at IS NULL`,
};

const ABANDONED: Statement = {
  name: 'number_moves_abandoned',
  text: `SELECT ${COLUMNS} FROM number_moves WHERE finished_at IS NULL AND worked_at <= $1 ORDER BY id`,
};

/** Keeps the earlier time, as another process may have finished the move first. */
const FINISH: Statement = {
  name: 'number_move_finish',
  text: `
    UPDATE number_moves SET finished_at = coalesce(finished_at, $2) WHERE id = $1 RETURNING bound, unbound`,
};
