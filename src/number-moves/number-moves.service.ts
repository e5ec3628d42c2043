import { Injectable, Logger } from '@nestjs/common';
import type { SendingAccount } from '../accounts/accounts.service.js';
import type { BusinessAccount } from '../accounts/business-account.entity.js';
import { type MoveResult, NumberMovesStore, type OpenMove } from '../accounts/number-moves.store.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { TemplateBindingService } from '../outbox/template-binding.service.js';

/** Milliseconds without work on a move, after which workers finish it. */
const ABANDONED_AFTER = 10_000;

/** Moves numbers to another business account, with all that waits: docs/moving-a-number.md. */
@Injectable()
export class NumberMovesService {
  private readonly logger = new Logger(NumberMovesService.name);

  constructor(
    private readonly moves: NumberMovesStore,
    private readonly templates: TemplateSyncService,
    private readonly binding: TemplateBindingService,
    private readonly holds: HoldsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves a number, or finishes an interrupted move to that account. The account's templates are synced first: if that
   * fails, nothing has changed.
   * @param phoneNumberId the number's id at the provider from now on; null: it stays the same
   * @returns what has become of its waiting messages since the move began
   * @throws ApiError CONFLICT when it is in that account already, or being moved to another one; VALIDATION_FAILED for
   * another tenant's account; ProviderError
   */
  async move(
    number: SendingAccount,
    to: Pick<BusinessAccount, 'id' | 'tenantId'>,
    phoneNumberId: string | null = null,
  ): Promise<MoveResult> {
    const move = (await this.resumable(number, to)) ?? (await this.begin(number, to, phoneNumberId));
    await this.binding.bindWaiting(move);
    return this.finish(move);
  }

  /** Finishes interrupted moves, as long as `mayGoOn` allows it. */
  async finishAbandoned(mayGoOn: () => boolean): Promise<void> {
    const since = new Date(this.clock.now().getTime() - ABANDONED_AFTER);
    for (const move of await this.moves.abandoned(since)) {
      if (!(await this.binding.bindWaiting(move, mayGoOn))) return;
      this.logger.warn({ message: 'A move that was broken off is finished', ...(await this.finish(move)) });
    }
  }

  private async resumable(
    number: SendingAccount,
    to: Pick<BusinessAccount, 'id' | 'tenantId'>,
  ): Promise<OpenMove | null> {
    if (to.tenantId !== number.tenantId)
      throw new ApiError('VALIDATION_FAILED', 'The business account is of another tenant than the number.', [
        { field: 'business_account_id' },
      ]);
    const open = await this.moves.findOpen(number.id);
    if (!open || open.to_business_account_id === to.id) return open;
    throw new ApiError(
      'CONFLICT',
      'The number is being moved to another business account; finish that first.',
      [{ field: 'business_account_id', moving_to: open.to_business_account_id }],
    );
  }

  private async begin(
    number: SendingAccount,
    to: Pick<BusinessAccount, 'id'>,
    phoneNumberId: string | null,
  ): Promise<OpenMove> {
    if (number.businessAccountId === to.id) throw isThere();
    await this.templates.sync(to.id);
    const move = await this.moves.begin(number, to.id, phoneNumberId);
    if (!move) throw isThere();
    return move;
  }

  private async finish(move: OpenMove): Promise<MoveResult> {
    const result = await this.moves.finish(move.id);
    // The new account may accept what the former one refused, so the probe is sent now.
    await this.holds.probeNow('number', String(move.messaging_account_id));
    return result;
  }
}

function isThere(): ApiError {
  return new ApiError('CONFLICT', 'The number is in this business account already.', [
    { field: 'business_account_id' },
  ]);
}
