/** The caches of accounts that every process keeps, by name; see SharedCaches. */
export const ACCOUNT_CACHES = {
  numbersByApiId: 'messaging_accounts',
  numbersById: 'messaging_accounts_by_id',
  /** By tenant. */
  onlyNumbers: 'messaging_accounts_only',
  secretsById: 'business_accounts',
  secretsByWaba: 'business_accounts_by_waba',
  /** Of all accounts, under one key. */
  appSecrets: 'app_secrets',
  /** The provider's ids of all accounts, under one key. */
  wabaIds: 'waba_ids',
} as const;
