/**
 * The provider's wire format (WhatsApp Cloud API, v23.0), as it stands in JSON.
 * Shared by the client and the sandbox; types only, no behaviour.
 */

export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';

/** A media reference of a parameter: a public URL or the id of an upload. */
export interface WireMedia {
  id?: string;
  link?: string;
  /** Documents only. */
  filename?: string;
}

/** One parameter of a component of a message being sent. Which fields stand beside `type` depends on it. */
export interface WireParameter {
  type: string;
  text?: string;
  /** Named-parameter templates only. */
  parameter_name?: string;
  currency?: { fallback_value: string; code: string; amount_1000: number };
  date_time?: { fallback_value: string };
  image?: WireMedia;
  video?: WireMedia;
  document?: WireMedia;
  location?: { latitude: number | string; longitude: number | string; name?: string; address?: string };
  payload?: string;
  coupon_code?: string;
  action?: Record<string, unknown>;
  limited_time_offer?: { expiration_time_ms: number };
}

/** One component of a message being sent. */
export interface WireComponent {
  type: 'header' | 'body' | 'button' | 'limited_time_offer' | 'carousel';
  parameters?: WireParameter[];
  /** Buttons only: `quick_reply`, `url`, `copy_code`, `flow`, `catalog`, `mpm`. */
  sub_type?: string;
  /** Buttons only: the button's position, from 0. */
  index?: string | number;
  /** Carousels only. */
  cards?: { card_index: number; components: WireComponent[] }[];
}

/** `POST /{version}/{phone-number-id}/messages` */
export interface WireSendRequest {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  to: string;
  type: 'template';
  template: { name: string; language: { code: string }; components?: WireComponent[] };
  biz_opaque_callback_data?: string;
}

export interface WireSendResponse {
  messaging_product: 'whatsapp';
  contacts: { input: string; wa_id: string }[];
  messages: { id: string; message_status?: 'accepted' | 'held_for_quality_assessment' | 'paused' }[];
}

/** The body of every failed call. */
export interface WireError {
  message: string;
  type?: string;
  code: number;
  error_subcode?: number;
  error_data?: { messaging_product?: string; details?: string };
  error_user_title?: string;
  error_user_msg?: string;
  fbtrace_id?: string;
  /** Whether the same call may succeed later. */
  is_transient?: boolean;
}

/** A button of a template as stored at the provider. */
export interface WireTemplateButton {
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE' | 'OTP' | 'FLOW' | 'CATALOG' | (string & {});
  text?: string;
  url?: string;
  phone_number?: string;
  otp_type?: string;
  example?: string[] | string;
  [key: string]: unknown;
}

/** A component of a template as stored at the provider (`components[]` of the template list). */
export interface WireTemplateComponent {
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS' | 'CAROUSEL' | 'LIMITED_TIME_OFFER' | (string & {});
  /** Headers only. */
  format?: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION' | (string & {});
  text?: string;
  example?: {
    header_text?: string[];
    header_text_named_params?: { param_name: string; example: string }[];
    header_handle?: string[];
    body_text?: string[][];
    body_text_named_params?: { param_name: string; example: string }[];
  };
  buttons?: WireTemplateButton[];
  cards?: { components: WireTemplateComponent[] }[];
  [key: string]: unknown;
}

/** One template of `GET /{version}/{waba-id}/message_templates`. */
export interface WireTemplate {
  id: string;
  name: string;
  language: string;
  status: string;
  category: TemplateCategory;
  sub_category?: string;
  previous_category?: string;
  parameter_format?: 'POSITIONAL' | 'NAMED';
  quality_score?: { score: string; date?: number };
  rejected_reason?: string;
  /** -1 for 30 days. */
  message_send_ttl_seconds?: number | null;
  components: WireTemplateComponent[];
}

export interface WirePage<Item> {
  data: Item[];
  paging?: { cursors?: { before?: string; after?: string }; next?: string };
}

/** The body of `POST /{version}/{waba-id}/message_templates`. */
export interface WireTemplateDraft {
  name: string;
  category: TemplateCategory;
  language: string;
  parameter_format?: 'POSITIONAL' | 'NAMED';
  /** Left out for the provider's default. */
  message_send_ttl_seconds?: number;
  components: WireTemplateComponent[];
  [key: string]: unknown;
}

export interface WireTemplateCreated {
  id: string;
  status: string;
  category: TemplateCategory;
}

/** One message status of a webhook's `messages` field. */
export interface WireReceipt {
  id: string;
  status: 'sent' | 'delivered' | 'read' | 'failed' | (string & {});
  /** Unix seconds, as text. */
  timestamp: string;
  recipient_id?: string;
  /** Of a recipient with a username, whose number the provider may keep to itself. */
  recipient_user_id?: string;
  biz_opaque_callback_data?: string;
  conversation?: Record<string, unknown>;
  pricing?: { billable?: boolean; pricing_model?: string; type?: string; category?: string };
  errors?: WireReceiptError[];
}

export interface WireReceiptError {
  code: number;
  title?: string;
  message?: string;
  error_data?: { details?: string };
  /** The provider's page of error codes. */
  href?: string;
}

export interface WireWebhookChange {
  field: string;
  value: Record<string, unknown>;
}

/** The body of a webhook delivery. */
export interface WireWebhook {
  object: string;
  entry: { id: string; time?: number; changes: WireWebhookChange[] }[];
}

/** `GET /{version}/{phone-number-id}`, with the fields that we ask for. */
export interface WirePhoneNumber {
  id: string;
  display_phone_number?: string;
  verified_name?: string;
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality_rating?: string;
  status?: string;
  /** STANDARD is 80 messages/s, HIGH 1,000. */
  throughput?: { level?: string };
  /** The limit of the whole portfolio, such as TIER_2K; up to v23.0, and since v24.0. */
  messaging_limit_tier?: string;
  whatsapp_business_manager_messaging_limit?: string;
}
