/** Why the provider's webhooks hold a business account, the weightiest last: it takes the place of a lesser one. */
export const ACCOUNT_HOLD_CAUSES = ['restricted', 'banned', 'removed', 'deleted'] as const;

export type AccountHoldCause = (typeof ACCOUNT_HOLD_CAUSES)[number];
