/** What alerts are about. A kind is part of the metric and of what the dashboard says. */
export type AlertKind =
  /** The provider has disabled the business account, or will. */
  | 'account_banned'
  | 'account_ban_scheduled'
  | 'account_restricted'
  | 'account_deleted'
  | 'account_removed'
  | 'account_violation'
  /** What the provider itself calls an alert. */
  | 'account_alert'
  | 'security'
  /** Prices, the portfolio and other news of the account that stop nothing. */
  | 'account_news'
  /** A template's category will change. */
  | 'category_change'
  /** Webhooks name an account that the service does not know. */
  | 'unknown_account';

/** How much it matters: `error` stops messages or soon will, `warning` wants a look, `info` is only said. */
export type AlertSeverity = 'error' | 'warning' | 'info';
