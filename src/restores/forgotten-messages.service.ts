import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { MessageTagsService } from '../messages/message-tags.service.js';
import { readWebhook, type ReceiptUpdate } from '../webhooks/domain/read-webhook.js';
import type { Restore } from './restore.entity.js';
import { DELIVERIES_SINCE, KNOWN } from './restores.sql.js';

/** A message that was sent, and that the database does not know any more: a receipt tells of it. */
export interface ForgottenMessage {
  message_log_id: number;
  waba_id: string;
  phone_number_id: string | null;
  recipient: string | null;
  provider_message_id: string;
  /** Of the last receipt that was read. */
  status: string;
}

interface DeliveryRow {
  id: number;
  payload: string | null;
}

/** Deliveries that are read at a time. */
const PAGE = 200;

/** Finds messages that were accepted and sent after the moment of a restore, as far as receipts tell of them. */
@Injectable()
export class ForgottenMessagesService {
  constructor(
    private readonly database: Database,
    private readonly tags: MessageTagsService,
  ) {}

  /** In the order of their ids. */
  async since(restore: Restore): Promise<ForgottenMessage[]> {
    const found = new Map<number, ForgottenMessage>();
    let page: DeliveryRow[];
    let last = restore.lastDeliveryId;
    do {
      page = await this.database.run<DeliveryRow>(DELIVERIES_SINCE, [last, PAGE]);
      for (const { id, payload } of page) {
        last = id;
        if (payload !== null) await this.read(payload, restore, found);
      }
      await this.leaveKnownOut(found, page);
    } while (page.length === PAGE);
    return [...found.values()].toSorted((a, b) => a.message_log_id - b.message_log_id);
  }

  private async read(payload: string, restore: Restore, found: Map<number, ForgottenMessage>) {
    const receipts = readWebhook(payload, restore.begunAt).filter(
      (update): update is ReceiptUpdate => update.kind === 'receipt',
    );
    for (const { tag: text, wabaId, phoneNumberId, recipient, providerMessageId, status } of receipts) {
      const tag = await this.tags.read(text);
      // Later ones are of messages from after the restore; those without an installation of a version before restores.
      if (!tag?.installation || tag.messageLogId >= restore.firstMessageId) continue;
      found.set(tag.messageLogId, {
        message_log_id: tag.messageLogId,
        waba_id: wabaId,
        phone_number_id: phoneNumberId,
        recipient,
        provider_message_id: providerMessageId,
        status,
      });
    }
  }

  /** A delivery with a receipt for no message may have others. */
  private async leaveKnownOut(found: Map<number, ForgottenMessage>, page: DeliveryRow[]): Promise<void> {
    if (!page.some(({ payload }) => payload !== null)) return;
    const known = await this.database.run<{ id: number }>(KNOWN, [[...found.keys()]]);
    for (const { id } of known) found.delete(id);
  }
}
