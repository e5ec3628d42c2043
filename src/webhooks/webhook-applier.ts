import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { MessageLogStore, type Receipt } from '../messages/message-log.store.js';
import { MessageTags } from '../messages/message-tags.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { AccountUpdates } from './account-updates.js';
import {
  type FieldUpdate,
  type ReceiptUpdate,
  readWebhook,
  TEST_ACCOUNT,
  type WebhookUpdate,
} from './domain/read-webhook.js';
import { ReceiptConsequences } from './receipt-consequences.js';
import { TemplateUpdates } from './template-updates.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Delivery {
  payload: string;
  /** Only what it says of these is to be applied: the rest was. Null: all of it. */
  unknown_accounts: string[] | null;
}

/** What became of a delivery. */
export interface Applied {
  /** Receipts that fit no message. */
  unknownMessages: number;
  /** Accounts that the service does not know, of which nothing was applied. */
  unknownAccounts: string[];
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
    private readonly tags: MessageTags,
    private readonly messageMetrics: MessageMetrics,
    private readonly consequences: ReceiptConsequences,
    private readonly templates: TemplateUpdates,
    private readonly accountUpdates: AccountUpdates,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies deliveries in their order, all receipts in one statement. Applying one again changes nothing.
   * @returns for each, what could not be applied
   */
  async apply(deliveries: Delivery[], connection: Queryable): Promise<Applied[]> {
    const now = this.clock.now();
    const all = deliveries.flatMap(({ payload, unknown_accounts: only }, delivery) =>
      readWebhook(payload, now)
        .filter(({ wabaId }) => wabaId !== TEST_ACCOUNT && (only === null || only.includes(wabaId)))
        .map((update) => ({ delivery, update })),
    );
    const unknownAccounts = await this.unknownAccountsOf(all);
    const updates = all.filter(({ update }) => !unknownAccounts.has(update.wabaId));
    const left = all.filter(({ update }) => unknownAccounts.has(update.wabaId));
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
      unknownAccounts: unknownAccounts.size === 0 ? [] : namedBy(index, left),
    }));
  }

  private async unknownAccountsOf(updates: Numbered<WebhookUpdate>[]): Promise<Set<string>> {
    const unknown = new Set<string>();
    for (const wabaId of new Set(updates.map(({ update }) => update.wabaId)))
      if (!(await this.accounts.secretsOfWaba(wabaId))) unknown.add(wabaId);
    return unknown;
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
    await this.consequences.follow(
      applied.map((each, index) => ({ receipt: known[index]!.row, applied: each })),
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

  private async toReceipt(update: ReceiptUpdate): Promise<Receipt | null> {
    const account = await this.accounts.secretsOfWaba(update.wabaId);
    if (!account) return null;
    const tag = await this.tags.read(update.tag);
    return {
      business_account_id: account.id,
      message_log_id: tag && tag.messageLogId,
      old_tag: tag !== null && tag.installation === null,
      phone_number_id: update.phoneNumberId,
      recipient: update.recipient,
      provider_message_id: update.providerMessageId,
      status: update.status,
      occurred_at: update.occurredAt,
      error: update.error,
      details: update.details,
    };
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

/** The distinct accounts that a delivery speaks of. */
function namedBy(index: number, updates: Numbered<WebhookUpdate>[]): string[] {
  const own = updates.filter(({ delivery }) => delivery === index);
  return [...new Set(own.map(({ update }) => update.wabaId))];
}

const RECEIPT_STATUSES = new Set(['sent', 'delivered', 'read', 'failed']);
