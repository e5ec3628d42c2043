/** What alerts are about. The metric and the dashboard use the kind. */
export type AlertKind =
  /** The provider has disabled the business account, or will. */
  | 'account_banned'
  | 'account_ban_scheduled'
  | 'account_restricted'
  | 'account_deleted'
  | 'account_removed'
  | 'account_violation'
  /** The provider's own alerts. */
  | 'account_alert'
  | 'security'
  /** Prices, the portfolio and other news of the account that stop nothing. */
  | 'account_news'
  /** A template's category will change. */
  | 'category_change'
  /** What a template's status or category has become. */
  | 'template_paused'
  | 'template_disabled'
  | 'template_rejected'
  | 'template_recategorised'
  /** The provider rates a number RED. */
  | 'number_quality'
  /** Messages wait: the provider takes none of a number, a business account or a template. */
  | 'hold'
  /** The same, as the access token of a business account is refused. */
  | 'token_refused'
  /** The provider refuses one message as if the fault were its number's, again after others went through. It has failed. */
  | 'message_refused'
  /** Messages are sent, but no receipts come. */
  | 'receipts_missing'
  /** A part of a spending limit is used: the subject names the limit, its period and the part. */
  | 'spending'
  /** Events are no longer posted to an endpoint, as it has failed for days. */
  | 'endpoint_disabled'
  /** Webhooks name an account that the service does not know. */
  | 'unknown_account';

/** `error`: messages stop, or soon will. `warning`: somebody should look. `info`: for information only. */
export type AlertSeverity = 'error' | 'warning' | 'info';
