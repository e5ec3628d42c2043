import type { TemplateComponent } from '../../../../src/templates/domain/template-draft';

export interface TemplateRow {
  template_id: number;
  name: string;
  language: string;
  category: string;
  status: string;
  provider_status: string;
  status_reason: string | null;
  status_changed_at: string;
  quality: string | null;
  header_type: string | null;
  body: string | null;
  business_account_id: string;
  /** Its next category, and when; null when the provider has announced none. */
  category_change: { category: string; at: string } | null;
}

export interface BusinessAccount {
  business_account_id: string;
  waba_id: string;
  templates_synced_at: string | null;
  numbers: { messaging_account_id: string; name: string; phone: string }[];
}

export interface TemplateFacets {
  languages: string[];
  business_accounts: BusinessAccount[];
}

export interface TemplateChange {
  change_id: number;
  kind: 'created' | 'status' | 'category' | 'quality' | 'content' | 'removed';
  old_value: string | null;
  new_value: string | null;
  reason: string | null;
  components: TemplateComponent[] | null;
  occurred_at: string;
}

export interface TemplateDetail extends TemplateRow {
  provider_template_id: string;
  parameter_format: string;
  /** Stands for its content. */
  version: string;
  /** -1 for 30 days, null for the provider's default. */
  message_send_ttl_seconds: number | null;
  components: TemplateComponent[];
  created_at: string;
  removed_at: string | null;
  hold: { hold_id: number; cause: string; error: { title: string }; created_at: string } | null;
  changes: TemplateChange[];
  translations: { template_id: number; language: string; status: string }[];
}
