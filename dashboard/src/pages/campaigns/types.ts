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

/** Of the template as it is now; without, it is gone. */
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
  /** Of drafts that are checked. */
  warnings: CampaignWarning[];
}

/** What the rows that are left cost, in the category that they were checked in and in the present one. */
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

/** What a draft is made from. */
export interface MessageChoice {
  name: string;
  messaging_account_id: string;
  template: { name: string; language: string };
}
