/** Where a campaign may be in its life; docs/architecture.md has the arrows. */
export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'canceled', 'finished'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What has become of a row: `skipped` was left out at the start, `refused` broke a rule when its turn came. */
export const ROW_STATES = ['pending', 'accepted', 'refused', 'skipped'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Why a row cannot be sent. */
export interface RowFault {
  /** An error code of a send, or one of a file: `DUPLICATE_PHONE`. */
  code: string;
  message: string;
  /** The slot that has the fault, such as `phone` or `body.1`; absent when it is in none. */
  slot?: string;
  /** The column that the slot is filled from. */
  column?: string;
}

/** Why the service has paused a campaign. */
export interface PauseCause {
  code: string;
  message: string;
  /** The template's category at the check, and its present one. Only with TEMPLATE_RECATEGORISED. */
  categories?: { from: string; to: string };
}

/** The result of a check. */
export interface CampaignVerdict {
  good: number;
  bad: number;
  /** Rows of recipients who have opted out: left out, and no part of `bad`. Missing in older checks. */
  opted_out?: number;
  /** What the good rows cost, for each currency: decimals with six places, as text. */
  costs: { currency: string; amount: string }[];
  /** The template's category; missing in checks from before this was noted. */
  category?: string;
  /** For marketing: good rows with a number of the United States, to which the provider delivers none. */
  us_marketing?: number;
  /** ISO 8601. */
  checked_at: string;
}
