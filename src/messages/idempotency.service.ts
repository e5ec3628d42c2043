import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { Database, type Statement } from '../database/database.js';
import type { TemplateCategory } from '../provider/wire.js';
import type { BatchOutcome } from './batch/batch-outcome.js';

/** What is known of a request: the message that was accepted, or what came of a batch. */
export interface KnownRequest {
  body_hash: string;
  message_log_id: number | null;
  conversation_category: TemplateCategory;
  cost: string;
  answer: BatchOutcome | null;
}

export interface Answered<Answer> {
  answer: Answer;
  /** Whether it is the first answer again. */
  replayed: boolean;
}

/** @throws ApiError VALIDATION_FAILED */
export function checkIdempotencyKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw new ApiError('VALIDATION_FAILED', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', [
    { field: 'Idempotency-Key' },
  ]);
}

/** Makes a repeated request with the same `Idempotency-Key` answer as the first did, with one message in all. */
@Injectable()
export class IdempotencyService {
  /** Keys whose first request this process is working on. Other processes meet at the unique key in PostgreSQL. */
  private readonly underWay = new Set<string>();

  constructor(private readonly database: Database) {}

  /**
   * @param accept stores messages and key in one statement; throws IDEMPOTENCY_KEY_IN_USE when the key was taken
   * @param recall makes the first answer again
   * @throws ApiError IDEMPOTENCY_KEY_REUSED for another body, IDEMPOTENCY_KEY_IN_USE while the first is under way
   */
  async once<Answer>(
    tenantId: string,
    { key, bodyHash }: { key: string; bodyHash: string },
    accept: () => Promise<Answer>,
    recall: (known: KnownRequest) => Answer,
  ): Promise<Answered<Answer>> {
    const name = `${tenantId}:${key}`;
    if (this.underWay.has(name)) {
      throw new ApiError(
        'IDEMPOTENCY_KEY_IN_USE',
        'The first request with this Idempotency-Key has not ended yet.',
        [],
        1,
      );
    }
    this.underWay.add(name);
    try {
      const known = await this.replay(tenantId, key, bodyHash);
      if (known) return { answer: recall(known), replayed: true };
      return await this.orReplay(tenantId, { key, bodyHash }, accept, recall);
    } finally {
      this.underWay.delete(name);
    }
  }

  /**
   * Another process may have accepted the first request meanwhile: also where this one was refused for another cause than
   * its key, as the first has taken what a limit had left.
   */
  private async orReplay<Answer>(
    tenantId: string,
    { key, bodyHash }: { key: string; bodyHash: string },
    accept: () => Promise<Answer>,
    recall: (known: KnownRequest) => Answer,
  ): Promise<Answered<Answer>> {
    try {
      return { answer: await accept(), replayed: false };
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      const known = isRefused && (await this.replay(tenantId, key, bodyHash));
      if (known) return { answer: recall(known), replayed: true };
      throw error;
    }
  }

  private async replay(tenantId: string, key: string, bodyHash: string): Promise<KnownRequest | null> {
    const [known] = await this.database.run<KnownRequest>(FIND, [tenantId, key]);
    if (!known) return null;
    if (known.body_hash !== bodyHash) {
      throw new ApiError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used for another body; use a new one.',
      );
    }
    return known;
  }
}

export const FIND: Statement = {
  name: 'idempotency_find',
  text: `
    SELECT k.body_hash, k.message_log_id, m.conversation_category, m.cost, k.answer
    FROM idempotency_keys k LEFT JOIN message_logs m ON m.id = k.message_log_id
    WHERE k.tenant_id = $1 AND k.key = $2`,
};
