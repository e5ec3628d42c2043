/** Why a message ended without delivery. */
export interface MessageError {
  /** The provider's; null when the service found the fault. */
  code: number | null;
  title: string;
  details: string | null;
}
