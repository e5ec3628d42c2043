import type { Rates, Warning } from '../../../../src/dashboard/overview/domain/template-health';
import type { Hold } from '../numbers/types';

export type PeriodName = '24h' | '7d' | '30d' | '90d';

export interface Counts {
  accepted: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  opted_out: number;
  capped: number;
}

export interface TemplateFigures extends Counts, Rates {
  template_id: number;
  name: string;
  language: string;
  category: string;
  status: string;
  quality: string | null;
  warnings: Warning[];
}

export interface CurrencyCost {
  currency: string;
  amount: string;
  previous_amount: string;
  points: { point: string; by_category: Record<string, string> }[];
}

export interface Figures {
  unit: 'hour' | 'day';
  as_of: string | null;
  is_complete: boolean;
  has_messages: boolean;
  totals: Counts & Rates;
  previous: Counts & Rates;
  series: (Counts & { point: string })[];
  templates: TemplateFigures[];
  costs: CurrencyCost[];
}

export interface Queue {
  numbers: number;
  waiting: number;
  waiting_is_more: boolean;
  due: number;
  oldest_due_at: string | null;
  sent_last_minute: number;
  holds: Hold[];
}
