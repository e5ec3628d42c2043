import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Database, type Statement } from '../../database/database.js';
import type { MessageRecord } from '../../messages/dto/message-record.dto.js';
import { MessageQueries } from '../../messages/lists/message-queries.js';
import { classByCode } from '../../provider/error-table.js';
import type { ProviderErrorClass } from '../../provider/provider-error.js';
import type { WireTemplateComponent } from '../../provider/wire.js';

interface LedgerLine {
  kind: 'charge' | 'refund';
  /** A decimal with six places, as text. */
  amount: string;
  currency: string;
  created_at: Date;
}

/** The message before or after this one in a chain of original and retry. */
type ChainLink = Pick<
  MessageRecord,
  'message_log_id' | 'status' | 'created_at' | 'scheduled_at' | 'sent_at' | 'failed_at'
>;

interface MessageContext {
  number_name: string;
  number_phone: string;
  template_components: WireTemplateComponent[] | null;
  retry_id: number | null;
  hold: { scope: string; cause: ProviderErrorClass; title: string; since: string } | null;
}

/** All that the page tells of one message. */
export interface MessageDetails extends MessageRecord, Omit<MessageContext, 'retry_id'> {
  /** What the provider's code means; null where there is none. */
  error_class: ProviderErrorClass | null;
  ledger: LedgerLine[];
  original: ChainLink | null;
  retry: ChainLink | null;
}

/** Reads what stands around one message: its money, its retry, its template, and what it waits for. */
@Injectable()
export class MessageDetailsQueries {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageQueries,
    private readonly accounts: AccountsService,
  ) {}

  /** Null when the tenant has no such message. */
  async find(tenantId: string, id: number): Promise<MessageDetails | null> {
    const [record, [found], ledger] = await Promise.all([
      this.messages.find(tenantId, id),
      this.database.run<MessageContext>(CONTEXT, [tenantId, id]),
      this.database.run<LedgerLine>(LEDGER, [tenantId, id]),
    ]);
    if (!record || !found) return null;
    const { retry_id, ...context } = found;
    const [original, retry] = await Promise.all([
      this.link(tenantId, record.retry_of),
      this.link(tenantId, retry_id),
    ]);
    const code = record.error?.code ?? null;
    const error_class = typeof code === 'number' ? classByCode(code) : null;
    return { ...record, ...context, error_class, ledger, original, retry };
  }

  /** The choices of the filters; removed templates are among them. */
  async choices(tenantId: string) {
    const [numbers, templates] = await Promise.all([
      this.accounts.numbersOf(tenantId),
      this.database.run<{ name: string }>(TEMPLATE_NAMES, [tenantId]),
    ]);
    return {
      numbers: numbers.map(({ apiId, name, phone }) => ({ messaging_account_id: apiId, name, phone })),
      templates: templates.map(({ name }) => name),
    };
  }

  private async link(tenantId: string, id: number | null): Promise<ChainLink | null> {
    const record = id === null ? null : await this.messages.find(tenantId, id);
    if (!record) return null;
    const { message_log_id, status, created_at, scheduled_at, sent_at, failed_at } = record;
    return { message_log_id, status, created_at, scheduled_at, sent_at, failed_at };
  }
}

/** `hold` is the oldest hold that keeps the message waiting: on its number, business account or template, or of a restore. */
export const CONTEXT: Statement = {
  name: 'dashboard_message_context',
  text: `
    SELECT n.name AS number_name, n.phone AS number_phone, t.body_json AS template_components,
      (SELECT r.message_log_id FROM message_retries r WHERE r.retry_of = m.id) AS retry_id,
      (SELECT json_build_object('scope', h.scope, 'cause', h.cause, 'title', h.error ->> 'title', 'since', h.created_at)
        FROM holds h WHERE o.due_at IS NOT NULL AND o.resolve_at IS NULL AND h.lifted_at IS NULL AND (h.scope, h.target_id) IN (
          ('number', n.id::text), ('business_account', n.business_account_id::text), ('template', m.template_id::text),
          ('restore', n.business_account_id::text)) AND (h.scope <> 'restore' OR h.id = o.held_by)
        ORDER BY h.id LIMIT 1) AS hold
    FROM message_logs m JOIN messaging_accounts n ON n.id = m.messaging_account_id
    LEFT JOIN outbox o ON o.message_log_id = m.id
    LEFT JOIN templates t ON t.id = m.template_id
    WHERE m.tenant_id = $1 AND m.id = $2`,
};

export const LEDGER: Statement = {
  name: 'dashboard_message_ledger',
  text: `
    SELECT kind, amount::text, currency, created_at FROM ledger_entries
    WHERE tenant_id = $1 AND message_log_id = $2 ORDER BY id`,
};

const TEMPLATE_NAMES: Statement = {
  name: 'dashboard_template_names',
  text: 'SELECT DISTINCT name FROM templates WHERE tenant_id = $1 ORDER BY name',
};
