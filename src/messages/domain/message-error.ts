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
