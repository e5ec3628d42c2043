import type { FaultDetail } from '../../api/fault';

/** The values of the form. Everything typed is kept while the user tries another template. */
export interface SendValues {
  messaging_account_id: string | null;
  template_id: string | null;
  phone: string;
  /** Values by placeholder: `1`, or a name. */
  body: Record<string, string>;
  /** The placeholder of a text header. */
  header_text: string;
  media: MediaValue;
  location: { latitude: string; longitude: string; name: string; address: string };
  /** Values by the button's index: the variable of its URL, or the code that it copies. */
  buttons: Record<string, string>;
  when: 'now' | 'later';
  /** A wall time such as `2026-12-24T18:00`. */
  at: string;
  /** The IANA name of the time zone. */
  zone: string | null;
  auto_retry: boolean;
  client_reference: string;
  metadata: MetadataRow[];
  /** A wall time of the browser, such as `2026-12-24T18:00`. */
  valid_until: string;
  max_cost: string;
  /** What of the template must still be as it is now. */
  expect: { category: boolean; version: boolean };
}

export interface MetadataRow {
  /** For the page alone. */
  id: number;
  name: string;
  value: string;
}

export interface MediaValue {
  source: 'upload' | 'link';
  link: string;
  /** The provider's id of an uploaded file; the next fields say what it was uploaded for. */
  id: string | null;
  uploaded_for: { messaging_account_id: string; kind: string } | null;
  file_name: string;
}

/** The body of a send to the API. */
export interface SendRequest {
  messaging_account_id: string;
  phone: string;
  message_type: 'template';
  data: { name: string; language_code: string; components?: RequestComponent[] };
  scheduled_at?: string;
  timezone?: string;
  auto_retry_on_frequency_cap?: true;
  client_reference?: string;
  metadata?: Record<string, string>;
  valid_until?: string;
  max_cost?: string;
  expect?: { category?: string; template_version?: string };
}

export interface RequestComponent {
  type: 'header' | 'body' | 'button';
  sub_type?: string;
  index?: string;
  parameters: Record<string, unknown>[];
}

/** What would become of a send, as the API tells it. */
export interface Validation {
  valid: boolean;
  /** In the order of the checks. */
  errors: { code: string; message: string; details: FaultDetail[] }[];
  message: { due_at: string | null; timezone: string | null };
  price: { amount: number; currency: string; market: string; category: string } | null;
  warnings: { code: string; message: string }[];
}

export interface Acknowledgement {
  status: string;
  message_log_id: number;
  conversation_category: string;
  cost: number;
}
