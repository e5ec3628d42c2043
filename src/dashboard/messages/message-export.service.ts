import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { FILE_PATIENCE } from '../../database/reads.js';
import type { PagePosition } from '../../http/cursor.js';
import type { MessageSummary } from '../../messages/dto/message-record.dto.js';
import type { MessageFilter } from '../../messages/lists/message-list.sql.js';
import { MessageQueries, type SearchPage } from '../../messages/lists/message-queries.js';
import { csvHeader, csvLines } from './csv.js';

/** Rows read at a time: what an export of any length keeps in memory. */
const BATCH = 500;

/** Columns in order; new ones come last, for those who count them. The guard against formulas makes phones text, as they keep their +: no digits are rounded away. */
const COLUMNS: Record<string, (message: MessageSummary) => string | number | null> = {
  message_log_id: (message) => message.message_log_id,
  created_at: (message) => message.created_at,
  phone: (message) => `+${message.phone}`,
  template: (message) => message.template.name,
  language: (message) => message.template.language,
  category: (message) => message.conversation_category,
  status: (message) => message.status,
  messaging_account_id: (message) => message.messaging_account_id,
  cost: (message) => message.cost,
  currency: (message) => message.currency,
  scheduled_at: (message) => message.scheduled_at,
  sent_at: (message) => message.sent_at,
  delivered_at: (message) => message.delivered_at,
  read_at: (message) => message.read_at,
  failed_at: (message) => message.failed_at,
  canceled_at: (message) => message.canceled_at,
  delivery_verdict: (message) => message.delivery_verdict,
  attempts: (message) => message.attempts,
  retry_count: (message) => message.retry_count,
  retry_of: (message) => message.retry_of,
  error_code: (message) => message.error?.code ?? null,
  error_title: (message) => message.error?.title ?? null,
  error_details: (message) => message.error?.details ?? null,
  provider_message_id: (message) => message.provider_message_id,
  client_reference: (message) => message.client_reference,
  template_version: (message) => message.template.version,
  valid_until: (message) => message.valid_until,
  max_cost: (message) => message.max_cost,
  expect: ({ expect }) => expect && JSON.stringify(expect),
  metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
};

const toRow = (message: MessageSummary) => Object.values(COLUMNS).map((column) => column(message));

/** Writes messages as CSV. */
@Injectable()
export class MessageExportService {
  constructor(private readonly messages: MessageQueries) {}

  /**
   * The tenant's messages that fit the filter, newest first; read as fast as the reader takes them. The first batch is
   * read before this returns, so that a fault is still an answer; after a later one the stream breaks off.
   */
  async open(tenantId: string, filter: MessageFilter): Promise<Readable> {
    const first = await this.search(tenantId, filter, null);
    return Readable.from(this.write(tenantId, filter, first), { objectMode: false });
  }

  private search(tenantId: string, filter: MessageFilter, after: PagePosition | null): Promise<SearchPage> {
    return this.messages.search(tenantId, filter, BATCH, after, { wait: FILE_PATIENCE });
  }

  private async *write(tenantId: string, filter: MessageFilter, first: SearchPage): AsyncGenerator<string> {
    yield csvHeader(Object.keys(COLUMNS));
    for (let page = first; ; page = await this.search(tenantId, filter, page.next)) {
      if (page.messages.length > 0) yield csvLines(page.messages.map(toRow));
      if (!page.next) return;
    }
  }
}
