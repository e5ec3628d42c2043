import { Injectable, Logger } from '@nestjs/common';
import type { Queryable } from '../database/database.js';
import type { MessageError } from '../messages/domain/message-error.js';
import { holdScope } from '../outbox/outcome.js';
import { type HeldMessage, HoldsService } from '../outbox/holds/holds.service.js';
import type { AppliedReceipt, Receipt } from '../messages/message-log.store.js';
import { findCode, TEMPLATE_REFRESH_CODES } from '../provider/error-table.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';

/** A receipt that was applied, with what it did. */
export interface AppliedPair {
  receipt: Receipt;
  applied: AppliedReceipt;
}

/** Statuses which show that the provider has taken the message of a probe. */
const WENT_THROUGH = new Set(['sent', 'delivered', 'read']);

/**
 * What receipts mean beyond their own message. By the same table of errors as for answers, they place a hold where
 * later messages would fail, and cause templates to be read again. They also show that a hold's cause is gone.
 */
@Injectable()
export class ReceiptConsequencesService {
  private readonly logger = new Logger(ReceiptConsequencesService.name);

  constructor(
    private readonly holds: HoldsService,
    private readonly templates: TemplateSyncService,
  ) {}

  /** @param connection of the transaction that applies the receipts, so that no later message overtakes a hold */
  async follow(pairs: AppliedPair[], connection: Queryable): Promise<void> {
    const through = pairs.filter(({ receipt }) => WENT_THROUGH.has(receipt.status));
    const ids = through.flatMap(({ applied }) =>
      applied.id === null || applied.other_copy ? [] : [applied.id],
    );
    if (ids.length > 0) await this.holds.liftAfterReceipts([...new Set(ids)], connection);
    const failures = new Map<string, [HeldMessage, MessageError]>();
    for (const { receipt, applied } of pairs) {
      const message = newlyFailed(applied, receipt);
      if (!message || receipt.error?.code == null) continue;
      // One failure for each code and template is enough, as further ones would place the same hold.
      const { messaging_account_id: number, business_account_id: account, template_id: template } = message;
      failures.set(`${number} ${account} ${template} ${receipt.error.code}`, [message, receipt.error]);
    }
    // In one order, so that two batches do not block each other.
    for (const key of [...failures.keys()].toSorted())
      await this.followFailure(...failures.get(key)!, connection);
  }

  private async followFailure(
    message: HeldMessage,
    error: MessageError,
    connection: Queryable,
  ): Promise<void> {
    const code = error.code ?? NaN;
    const known = findCode(code);
    if (!known)
      this.logger.error({
        message: 'Unknown provider error code in a receipt',
        message_log_id: message.id,
        error,
      });
    if (TEMPLATE_REFRESH_CODES.has(code)) this.templates.refresh(message.business_account_id);
    const scope = known && holdScope(known.errorClass);
    if (known && scope)
      await this.holds.place(message, scope, { ...error, errorClass: known.errorClass }, connection);
  }
}

/** The message, with the business account whose delivery reports it. */
function newlyFailed(
  applied: AppliedReceipt,
  { business_account_id }: Pick<Receipt, 'business_account_id'>,
): HeldMessage | null {
  const { id, tenant_id, messaging_account_id, template_id, old_status, new_status } = applied;
  if (new_status !== 'failed' || old_status === 'failed') return null;
  if (id === null || tenant_id === null || messaging_account_id === null || template_id === null) return null;
  return { id, tenant_id, messaging_account_id, business_account_id, template_id };
}
