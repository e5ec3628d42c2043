import type { TemplateComponent } from '../../../../src/templates/domain/template-draft';

export type MessageStatus =
  'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'canceled';

/** The classes of src/provider/error-table.ts. */
export type ErrorClass =
  | 'transient'
  | 'account_rate'
  | 'number_rate'
  | 'pair_rate'
  | 'spam'
  | 'auth'
  | 'account'
  | 'category'
  | 'misrouted'
  | 'template_permanent'
  | 'template_recoverable'
  | 'recipient'
  | 'marketing_cap'
  | 'unknown';

export interface MessageFault {
  /** The provider's, or the name of a fault that the service found. */
  code: number | string | null;
  title: string;
  details: string | null;
}

export interface Message {
  message_log_id: number;
  messaging_account_id: string;
  /** The phone in digits only. */
  phone: string;
  client_reference: string | null;
  metadata: Record<string, string> | null;
  valid_until: string | null;
  max_cost: number | null;
  expect: { category?: string; template_version?: string } | null;
  template: { name: string; language: string; version: string | null };
  components: unknown[];
  status: MessageStatus;
  conversation_category: string;
  cost: number;
  currency: string;
  scheduled_at: string | null;
  timezone: string | null;
  retry_of: number | null;
  attempts: number;
  provider_message_id: string | null;
  error: MessageFault | null;
  created_at: string;
  sent_at: string | null;
  delivery_verdict: 'presumed_dropped' | null;
}

/** A page of the list; `searched_to` is set when the search stopped before the page was full. */
export interface MessagePage {
  messages: Message[];
  searched_to: string | null;
}

export interface MessageEvent {
  event: string;
  occurred_at: string;
  recorded_at: string;
  /** `source` is `answer` or `receipt`. */
  details: { source?: string; error?: MessageFault; messageStatus?: string } | null;
}

export interface ChainLink {
  message_log_id: number;
  status: MessageStatus;
  created_at: string;
  scheduled_at: string | null;
}

export interface LedgerLine {
  kind: 'charge' | 'refund';
  amount: string;
  currency: string;
  created_at: string;
}

/** Everything about one message. */
export interface MessageDetails extends Message {
  events: MessageEvent[];
  number_name: string;
  number_phone: string;
  template_components: TemplateComponent[] | null;
  hold: { scope: string; cause: ErrorClass; title: string; since: string } | null;
  error_class: ErrorClass | null;
  ledger: LedgerLine[];
  original: ChainLink | null;
  retry: ChainLink | null;
}

/** What messages can be filtered by. */
export interface MessageChoices {
  numbers: { messaging_account_id: string; name: string; phone: string }[];
  templates: string[];
}
