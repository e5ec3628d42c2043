import { Injectable, Logger } from '@nestjs/common';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { isolate } from '../common/isolate.js';
import type { Queryable } from '../database/database.js';
import { inSavepoint } from '../database/savepoint.js';
import { shortReceipt } from '../messages/event-details.js';
import { type AppliedReceipt, MessageLogStore, type Receipt } from '../messages/message-log.store.js';
import { MessageTagsService } from '../messages/message-tags.service.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { MessageTraces } from '../messages/traces/message-traces.service.js';
import { ProviderMetrics } from '../provider/provider-metrics.js';
import { AccountUpdatesService } from './account-updates.service.js';
import {
  type FieldUpdate,
  type InboundMessage,
  partOfWebhook,
  type ReceiptUpdate,
  readWebhook,
  TEST_ACCOUNT,
  type WebhookUpdate,
} from './domain/read-webhook.js';
import { InboundMessagesService } from './inbound-messages.service.js';
import { ReceiptConsequencesService } from './receipt-consequences.service.js';
import { TemplateUpdatesService } from './template-updates.service.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Delivery {
  payload: string;
  received_at: Date;
  /** Only updates for these accounts are to be applied: the others were applied before. Null: all are to be applied. */
  unknown_accounts: string[] | null;
}

/** The result of applying a delivery. */
export interface Applied {
  /** How many receipts fit no message. */
  unknownMessages: number;
  /** Accounts that the service does not know: their updates were not applied. */
  unknownAccounts: string[];
}

/** The result of applying a delivery as far as possible. */
export interface AppliedInPart extends Applied {
  /** Updates that cannot be applied, as a delivery by itself, and why. Null: there are none. */
  rest: { payload: string; count: number; error: unknown } | null;
  /** Whether nothing was applied. */
  isWhole: boolean;
}

interface Numbered<Update> {
  delivery: number;
  /** When the delivery arrived. */
  receivedAt: Date;
  /** Its position among all updates of the delivery. */
  ordinal: number;
  update: Update;
}

/** How many faulty updates of a delivery are found one by one. If it has more, good ones may be put aside with them. */
const MOST_FAULTS = 50;

/** Turns deliveries into changes of messages, templates and accounts. */
@Injectable()
export class WebhookApplierService {
  private readonly logger = new Logger(WebhookApplierService.name);

  constructor(
    private readonly accounts: AccountsService,
    private readonly messages: MessageLogStore,
    private readonly tags: MessageTagsService,
    private readonly messageMetrics: MessageMetrics,
    private readonly consequences: ReceiptConsequencesService,
    private readonly templates: TemplateUpdatesService,
    private readonly accountUpdates: AccountUpdatesService,
    private readonly inbound: InboundMessagesService,
    private readonly metrics: WebhookMetrics,
    private readonly providerMetrics: ProviderMetrics,
    private readonly traces: MessageTraces,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies deliveries in their order, all receipts in one statement. Applying one again changes nothing.
   * @returns for each, what could not be applied
   */
  async apply(deliveries: Delivery[], connection: Queryable): Promise<Applied[]> {
    const { updates, left, unknownAccounts } = await this.readAll(deliveries);
    const unknown = await this.applyUpdates(updates, connection);
    return deliveries.map((_, index) => ({
      unknownMessages: unknown.filter((delivery) => delivery === index).length,
      unknownAccounts: unknownAccounts.size === 0 ? [] : namedBy(index, left),
    }));
  }

  /**
   * Applies all updates of one delivery except those that cannot be applied.
   * @param isFault whether an update itself causes an error; any other error ends everything
   */
  async applyInPart(
    delivery: Delivery,
    connection: Queryable,
    isFault: (error: unknown) => boolean,
  ): Promise<AppliedInPart> {
    const { updates, left } = await this.readAll([delivery]);
    let unknownMessages = 0;
    const work = async (part: Numbered<WebhookUpdate>[]) => {
      const unknown = await inSavepoint(connection, () => this.applyUpdates(part, connection));
      unknownMessages += unknown.length;
    };
    const faults = await isolate(updates, work, { isFault, most: MOST_FAULTS });
    const ordinals = new Set(faults.map(({ item }) => item.ordinal));
    const payload = faults.length > 0 && partOfWebhook(delivery.payload, ordinals);
    return {
      unknownMessages,
      unknownAccounts: namedBy(0, left),
      rest: payload ? { payload, count: faults.length, error: faults[0]?.error } : null,
      // One that waited for accounts was applied in part before.
      isWhole: faults.length === updates.length && left.length === 0 && delivery.unknown_accounts === null,
    };
  }

  private async readAll(deliveries: Delivery[]) {
    const now = this.clock.now();
    const read = await Promise.all(deliveries.map((delivery) => this.read(delivery, now)));
    const all = read.flatMap((updates, delivery) => {
      const receivedAt = deliveries[delivery]!.received_at;
      return updates.map((update) => ({ delivery, receivedAt, ...update }));
    });
    const unknownAccounts = await this.unknownAccountsOf(all);
    return {
      updates: all.filter(({ update }) => !unknownAccounts.has(update.wabaId)),
      left: all.filter(({ update }) => unknownAccounts.has(update.wabaId)),
      unknownAccounts,
    };
  }

  /** @returns the delivery of each receipt that fits no message */
  private async applyUpdates(updates: Numbered<WebhookUpdate>[], connection: Queryable): Promise<number[]> {
    const receipts = updates.filter(
      (entry): entry is Numbered<ReceiptUpdate> => entry.update.kind === 'receipt',
    );
    const told: [field: string, effect: 'applied' | 'unknown'][] = [];
    for (const { update } of updates)
      if (update.kind === 'field') told.push([update.field, await this.applyField(update, connection)]);
    const messages = updates.flatMap(({ update }): InboundMessage[] =>
      update.kind === 'inbound' ? [update] : [],
    );
    await this.inbound.followWishes(messages, connection);
    const unknown = await this.applyReceipts(receipts, connection);
    // Now, as a receipt may be the first to tell the provider's id of the message that one answers.
    await this.inbound.tell(messages, connection);
    // Counted only now, when nothing has failed: what fails is tried again, and would count twice.
    for (const [field, effect] of told) this.metrics.update(field, effect);
    for (const { type } of messages) this.metrics.inbound(type);
    return unknown;
  }

  /** The updates of a delivery that are to be applied. */
  private async read(
    { payload, received_at, unknown_accounts: only }: Delivery,
    now: Date,
  ): Promise<Omit<Numbered<WebhookUpdate>, 'delivery' | 'receivedAt'>[]> {
    const updates = readWebhook(payload, now)
      .map((update, ordinal) => ({ update, ordinal }))
      .filter(({ update }) => update.wabaId !== TEST_ACCOUNT);
    const strangers = await this.strangersAmong(
      new Set(updates.map(({ update }) => update.wabaId)),
      received_at,
    );
    return updates.filter(
      ({ update: { wabaId } }) => !strangers.has(wabaId) && (only === null || only.includes(wabaId)),
    );
  }

  /**
   * Accounts that a delivery names but is not signed for. Accounts that were known when it arrived were compared with
   * its signature then. An account that was added later has to have the app secret of one of these: otherwise a tenant
   * could sign, by its own secret, updates for another tenant's account.
   */
  private async strangersAmong(wabaIds: Set<string>, receivedAt: Date): Promise<Set<string>> {
    if (wabaIds.size <= 1) return new Set();
    const accounts = await Promise.all([...wabaIds].map((wabaId) => this.accounts.secretsOfWaba(wabaId)));
    const known = accounts.filter((account) => account !== null);
    const isNew = ({ createdAt }: BusinessAccountSecrets) => createdAt > receivedAt;
    const secrets = new Set(known.filter((account) => !isNew(account)).map(({ appSecret }) => appSecret));
    const strangers = known.filter((account) => isNew(account) && !secrets.has(account.appSecret));
    for (const { wabaId } of strangers)
      this.logger.warn({
        message: 'Webhook not applied: it is not signed for this account',
        waba_id: wabaId,
      });
    return new Set(strangers.map(({ wabaId }) => wabaId));
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
    const known = receipts.flatMap(({ delivery, receivedAt }, index) =>
      rows[index] ? [{ delivery, receivedAt, row: rows[index] }] : [],
    );
    const applied = await this.messages.applyReceipts(
      known.map(({ row }) => row),
      connection,
    );
    await this.consequences.follow(
      applied.map((each, index) => ({ receipt: known[index]!.row, applied: each })),
      connection,
    );
    return applied.flatMap((result, index) => {
      const { id, old_status, new_status, other_copy } = result;
      const { delivery, receivedAt, row } = known[index] as (typeof known)[number];
      const effect = id === null ? 'unknown_message' : old_status === new_status ? 'known' : 'moved';
      this.messageMetrics.receipt(RECEIPT_STATUSES.has(row.status) ? row.status : 'other', effect);
      if (effect === 'moved' && row.status === 'failed') this.providerMetrics.failedLater(row.error?.code);
      if (other_copy) this.messageMetrics.late('receipt');
      if (this.traces.areOn) this.trace(row, result, receivedAt);
      return id === null ? [delivery] : [];
    });
  }

  private trace({ status, error }: Receipt, applied: AppliedReceipt, start: Date): void {
    if (applied.id === null) return;
    this.traces.add({
      messageLogId: applied.id,
      name: 'receipt',
      start,
      end: this.clock.now(),
      attributes: {
        'tms.message_log_id': applied.id,
        'tms.tenant_id': applied.tenant_id ?? undefined,
        'tms.number_id': applied.messaging_account_id ?? undefined,
        'tms.receipt_status': RECEIPT_STATUSES.has(status) ? status : 'other',
        'tms.error_code': error?.code ?? undefined,
      },
      fault: status === 'failed' ? 'failed' : undefined,
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
      details: shortReceipt(update.details),
    };
  }

  private async applyField(update: FieldUpdate, connection: Queryable): Promise<'applied' | 'unknown'> {
    const account = await this.accounts.secretsOfWaba(update.wabaId);
    const applied =
      account !== null &&
      ((await this.templates.apply(account, update, connection)) ||
        (await this.accountUpdates.apply(account, update, connection)));
    return applied ? 'applied' : 'unknown';
  }
}

/** The distinct accounts that a delivery speaks of. */
function namedBy(index: number, updates: Numbered<WebhookUpdate>[]): string[] {
  const own = updates.filter(({ delivery }) => delivery === index);
  return [...new Set(own.map(({ update }) => update.wabaId))];
}

const RECEIPT_STATUSES = new Set(['sent', 'delivered', 'read', 'failed']);
