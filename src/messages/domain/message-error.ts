/** Why a message ended without delivery. */
export interface MessageError {
  /** The provider's; null when the service found the fault. */
  code: number | null;
  title: string;
  details: string | null;
}

/** The same, when a message that was accepted is not wanted any more, as its conditions do not hold, or by its recipient. */
export interface UnwantedError extends Omit<MessageError, 'code'> {
  code: 'EXPIRED' | 'RECIPIENT_OPTED_OUT' | 'COST_ABOVE_MAX' | 'EXPECTATION_FAILED';
}

export const EXPIRED: UnwantedError = {
  code: 'EXPIRED',
  title: 'Expired before it could be sent',
  details: 'Its valid_until was over before it could be handed to the provider.',
};

export const OLD_CODE: UnwantedError = {
  code: 'EXPIRED',
  title: EXPIRED.title,
  details:
    'An authentication code is of no use after its time; holds, rates or an outage kept it from being sent in it.',
};
