import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { MessageLogStore } from '../messages/message-log.store.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { AccountUpdates } from './account-updates.js';
import { type FieldUpdate, type ReceiptUpdate, readWebhook } from './domain/read-webhook.js';
import { TemplateUpdates } from './template-updates.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Delivery {
  payload: string;
}

interface Numbered<Update> {
  delivery: number;
  update: Update;
}

/** Turns deliveries into changes of messages, templates and accounts. */
@Injectable()
export class WebhookApplier {
  constructor(
    private readonly accounts: AccountsService,
    private readonly messages: MessageLogStore,
    private readonly messageMetrics: MessageMetrics,
    private readonly templates: TemplateUpdates,
    private readonly accountUpdates: AccountUpdates,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies deliveries in their order, all receipts in one statement. Applying one again changes nothing.
   * @returns for each, how many of its receipts fit no message
   */
  async apply(deliveries: Delivery[], connection: Queryable): Promise<{ unknownMessages: number }[]> {
    const now = this.clock.now();
    const updates = deliveries.flatMap(({ payload }, delivery) =>
      readWebhook(payload, now).map((update) => ({ delivery, update })),
    );
    const receipts = updates.filter(
      (entry): entry is Numbered<ReceiptUpdate> => entry.update.kind === 'receipt',
    );
    for (const { update } of updates) {
      if (update.kind === 'field') await this.applyField(update, connection);
      if (update.kind === 'inbound') this.metrics.inbound(update.type);
    }
    const unknown = await this.applyReceipts(receipts, connection);
    return deliveries.map((_, index) => ({
      unknownMessages: unknown.filter((delivery) => delivery === index).length,
    }));
  }

  /** @returns the delivery of each receipt that fits no message */
  private async applyReceipts(receipts: Numbered<ReceiptUpdate>[], connection: Queryable): Promise<number[]> {
    if (receipts.length === 0) return [];
    const rows = await Promise.all(receipts.map(({ update }) => this.toReceipt(update)));
    const known = receipts.flatMap(({ delivery }, index) =>
      rows[index] ? [{ delivery, row: rows[index] }] : [],
    );
    const applied = await this.messages.applyReceipts(
      known.map(({ row }) => row),
      connection,
    );
    return applied.flatMap(({ id, old_status, new_status, other_copy }, index) => {
      const { delivery, row } = known[index] as (typeof known)[number];
      const effect = id === null ? 'unknown_message' : old_status === new_status ? 'known' : 'moved';
      this.messageMetrics.receipt(RECEIPT_STATUSES.has(row.status) ? row.status : 'other', effect);
      if (other_copy) this.messageMetrics.late('receipt');
      return id === null ? [delivery] : [];
    });
  }

  private async toReceipt(update: ReceiptUpdate) {
    const account = await this.accounts.secretsOfWaba(update.wabaId);
    return (
      account && {
        business_account_id: account.id,
        message_log_id: update.messageLogId,
        provider_message_id: update.providerMessageId,
        status: update.status,
        occurred_at: update.occurredAt,
        error: update.error,
        details: update.details,
      }
    );
  }

  private async applyField(update: FieldUpdate, connection: Queryable): Promise<void> {
    const account = await this.accounts.secretsOfWaba(update.wabaId);
    const applied =
      account !== null &&
      ((await this.templates.apply(account, update, connection)) ||
        (await this.accountUpdates.apply(account, update, connection)));
    this.metrics.update(update.field, applied ? 'applied' : 'unknown');
  }
}

const RECEIPT_STATUSES = new Set(['sent', 'delivered', 'read', 'failed']);
