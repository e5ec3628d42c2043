export interface NumberCardData {
  messaging_account_id: string;
  business_account_id: string;
  phone_number_id: string;
  phone: string;
  name: string;
  quality: string | null;
  status: string | null;
  throughput: string | null;
  messaging_limit: string | null;
  /** The time of the provider's last answer about these. */
  read_at: string | null;
  messages_per_second: number;
  /** Null when it is not known. */
  current_rate: number | null;
  waiting: number;
  waiting_is_more: boolean;
  due: number;
  sent_last_minute: number;
}

export interface BusinessAccount {
  business_account_id: string;
  waba_id: string;
  app_id: string | null;
  templates: number;
  templates_synced_at: string | null;
  webhook_seen_at: string | null;
  portfolio_id: string | null;
  /** People whom the portfolio has sent to in 24 hours; null before the first count. */
  recipients: number | null;
  /** Whether there are more than `recipients`. */
  recipients_is_more: boolean;
  recipients_counted_at: string | null;
  numbers: NumberCardData[];
}

export interface Hold {
  hold_id: number;
  scope: 'number' | 'business_account' | 'template' | 'restore';
  cause: string;
  error: { code: number | null; title: string; details: string | null };
  created_at: string;
  /** The time of the next probe; null when there are no probes. */
  next_probe_at: string | null;
  business_account_id: string;
  number: { messaging_account_id: string; name: string } | null;
  template: { template_id: number; name: string; language: string } | null;
  held: number;
}

export interface NumbersData {
  business_accounts: BusinessAccount[];
  holds: Hold[];
}
