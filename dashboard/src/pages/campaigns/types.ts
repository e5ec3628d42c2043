import type {
  CampaignStatus,
  CampaignVerdict,
  PauseCause,
  RowFault,
  RowState,
} from '../../../../src/campaigns/domain/campaign-status';
import type { CampaignWarning } from '../../../../src/campaigns/domain/campaign-warnings';
import type { CampaignMapping } from '../../../../src/campaigns/domain/mapping';
import type { TemplateComponent } from '../../../../src/templates/domain/template-draft';

export interface Campaign {
  campaign_id: number;
  name: string;
  messaging_account_id: string;
  account_name: string;
  messages_per_second: number;
  template: { name: string; language: string };
  status: CampaignStatus;
  cause: PauseCause | null;
  revision: number;
  file: { name: string; columns: string[]; rows: number } | null;
  mapping: CampaignMapping;
  auto_retry: boolean;
  verdict: CampaignVerdict | null;
  accepted_count: number;
  refused_count: number;
  starts_at: string | null;
  timezone: string | null;
  created_by: string;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** The campaign's template as it is now. A campaign without one has lost its template. */
export interface CampaignTemplate {
  name: string;
  language: string;
  template_id?: number;
  category?: string;
  status?: string;
  status_reason?: string | null;
  parameter_format?: 'POSITIONAL' | 'NAMED';
  components?: TemplateComponent[];
}

export interface CampaignProgress {
  messages: Record<string, number>;
  auto_retries: number;
  rate: number;
  seconds_left: number | null;
  holds: { scope: string; cause: string; error: { title: string }; created_at: string }[];
}

export interface CampaignDetail extends Omit<Campaign, 'template'> {
  template: CampaignTemplate;
  /** Null for drafts. */
  progress: CampaignProgress | null;
  /** Warnings of a checked draft. */
  warnings: CampaignWarning[];
}

/** The cost of the remaining rows, in the category of their check and in the present one. */
export interface RestOfCampaign {
  recipients: number;
  before: CampaignVerdict['costs'];
  now: CampaignVerdict['costs'];
}

export interface CampaignRow {
  row_number: number;
  cells: string[];
  phone: string | null;
  fault: RowFault | null;
  state: RowState;
  message_log_id: number | null;
  message_status: string | null;
}

/** The choices from which a draft is made. */
export interface MessageChoice {
  name: string;
  messaging_account_id: string;
  template: { name: string; language: string };
}
